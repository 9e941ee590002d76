// Places, element types and modes, with the names and numbers of Paddle Lite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#if !defined(_WIN32)
#define LITE_API __attribute__((visibility("default")))
#elif defined(LITE_BUILDS_SDK)
#define LITE_API __declspec(dllexport)
#else
#define LITE_API __declspec(dllimport)
#endif

#define TARGET(item) paddle::lite_api::TargetType::item
#define PRECISION(item) paddle::lite_api::PrecisionType::item
#define DATALAYOUT(item) paddle::lite_api::DataLayoutType::item

namespace paddle {
namespace lite_api {

// Where a kernel runs. kHost, kX86 and kARM all mean this machine's CPU here.
enum class TargetType : int {
  kUnk = 0,
  kHost = 1,
  kX86 = 2,
  kCUDA = 3,
  kARM = 4,
  kOpenCL = 5,
  kAny = 6,
  kFPGA = 7,
  kNPU = 8,
  kXPU = 9,
  kBM = 10,
  kMLU = 11,
  kRKNPU = 12,
  kAPU = 13,
  kHuaweiAscendNPU = 14,
  kImaginationNNA = 15,
  kIntelFPGA = 16,
  kMetal = 17,
  kNNAdapter = 18,
  NUM = 19
};

enum class PrecisionType : int {
  kUnk = 0,
  kFloat = 1,
  kInt8 = 2,
  kInt32 = 3,
  kAny = 4,
  kFP16 = 5,
  kBool = 6,
  kInt64 = 7,
  kInt16 = 8,
  kUInt8 = 9,
  kFP64 = 10,
  NUM = 11
};

enum class DataLayoutType : int {
  kUnk = 0,
  kNCHW = 1,
  kAny = 2,
  kNHWC = 3,
  kImageDefault = 4,
  kImageFolder = 5,
  kImageNW = 6,
  kMetalTexture2DArray = 7,
  kMetalTexture2D = 8,
  NUM = 9
};

// Which cores to prefer; the operating system places threads here.
enum PowerMode {
  LITE_POWER_HIGH = 0,
  LITE_POWER_LOW = 1,
  LITE_POWER_FULL = 2,
  LITE_POWER_NO_BIND = 3,
  LITE_POWER_RAND_HIGH = 4,
  LITE_POWER_RAND_LOW = 5
};

enum CLTuneMode { CL_TUNE_NONE = 0, CL_TUNE_RAPID = 1, CL_TUNE_NORMAL = 2, CL_TUNE_EXHAUSTIVE = 3 };

enum CLPrecisionType { CL_PRECISION_AUTO = 0, CL_PRECISION_FP32 = 1, CL_PRECISION_FP16 = 2 };

enum PrecisionMode { LITE_PRECISION_NORMAL = 0, LITE_PRECISION_LOW = 1 };

enum MLUCoreVersion { MLU_220 = 0, MLU_270 = 1 };

enum class QuantType : int { QUANT_INT8 = 0, QUANT_INT16 = 1 };

// The element type that stands for a C++ type; kUnk for any other.
template <typename T>
struct PrecisionTypeTrait {
  static constexpr PrecisionType Type() { return PrecisionType::kUnk; }
};
template <>
struct PrecisionTypeTrait<bool> {
  static constexpr PrecisionType Type() { return PrecisionType::kBool; }
};
template <>
struct PrecisionTypeTrait<float> {
  static constexpr PrecisionType Type() { return PrecisionType::kFloat; }
};
template <>
struct PrecisionTypeTrait<double> {
  static constexpr PrecisionType Type() { return PrecisionType::kFP64; }
};
template <>
struct PrecisionTypeTrait<int8_t> {
  static constexpr PrecisionType Type() { return PrecisionType::kInt8; }
};
template <>
struct PrecisionTypeTrait<uint8_t> {
  static constexpr PrecisionType Type() { return PrecisionType::kUInt8; }
};
template <>
struct PrecisionTypeTrait<int16_t> {
  static constexpr PrecisionType Type() { return PrecisionType::kInt16; }
};
template <>
struct PrecisionTypeTrait<int32_t> {
  static constexpr PrecisionType Type() { return PrecisionType::kInt32; }
};
template <>
struct PrecisionTypeTrait<int64_t> {
  static constexpr PrecisionType Type() { return PrecisionType::kInt64; }
};

// Bytes of an element; 0 for kUnk, kAny and kBool.
LITE_API size_t PrecisionTypeLength(PrecisionType type);

// "arm", "float", "NCHW"; throw for a number that the enumeration does not have.
LITE_API const std::string& TargetToStr(TargetType target);
LITE_API const std::string& PrecisionToStr(PrecisionType precision);
LITE_API const std::string& DataLayoutToStr(DataLayoutType layout);
LITE_API const std::string& CLTuneModeToStr(CLTuneMode mode);
LITE_API const std::string& CLPrecisionTypeToStr(CLPrecisionType type);
// "kARM", "kFloat", "kNCHW".
LITE_API const std::string& TargetRepr(TargetType target);
LITE_API const std::string& PrecisionRepr(PrecisionType precision);
LITE_API const std::string& DataLayoutRepr(DataLayoutType layout);

// What kAny stands for; anything else is itself.
LITE_API std::set<TargetType> ExpandValidTargets(TargetType target = TargetType::kAny);
LITE_API std::set<PrecisionType> ExpandValidPrecisions(
    PrecisionType precision = PrecisionType::kAny);
LITE_API std::set<DataLayoutType> ExpandValidLayouts(DataLayoutType layout = DataLayoutType::kAny);

// A target with precision, layout and device number.
struct LITE_API Place {
  TargetType target{TargetType::kUnk};
  PrecisionType precision{PrecisionType::kUnk};
  DataLayoutType layout{DataLayoutType::kUnk};
  int16_t device{0};

  Place() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): applications write a target for a place.
  Place(TargetType target_type, PrecisionType precision_type = PrecisionType::kFloat,
        DataLayoutType layout_type = DataLayoutType::kNCHW, int16_t device_number = 0)
      : target(target_type),
        precision(precision_type),
        layout(layout_type),
        device(device_number) {}

  // False while target, precision or layout is unknown.
  bool is_valid() const {
    return target != TargetType::kUnk && precision != PrecisionType::kUnk &&
           layout != DataLayoutType::kUnk;
  }
  size_t hash() const;
  bool operator==(const Place& other) const {
    return target == other.target && precision == other.precision && layout == other.layout &&
           device == other.device;
  }
  bool operator!=(const Place& other) const { return !(*this == other); }
  bool operator<(const Place& other) const;

  // "4/1/1": target, precision and layout by number. Deserialize throws for any other text.
  std::string Serialize() const;
  void Deserialize(const std::string& text);
  // "arm/float/NCHW"
  std::string DebugString() const;
};

}  // namespace lite_api
}  // namespace paddle
