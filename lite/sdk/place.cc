// The names of places, element types and modes.
#include <array>
#include <charconv>

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_place.h"

namespace paddle::lite_api {
namespace {

template <size_t N>
using Names = std::array<std::string, N>;

template <typename Enum, size_t N>
const std::string& NameOf(const Names<N>& names, Enum value, const char* what) {
  const auto at = static_cast<size_t>(value);
  if (at >= N)
    throw lite::ConfigError(
        lite::StrCat(what, " ", static_cast<int>(value), " does not exist, expected 0 to ", N - 1));
  return names[at];
}

template <typename Enum>
std::set<Enum> Expand(Enum value) {
  if (value != Enum::kAny) return {value};
  std::set<Enum> all;
  for (int i = 1; i < static_cast<int>(Enum::NUM); ++i)
    if (i != static_cast<int>(Enum::kAny)) all.insert(static_cast<Enum>(i));
  return all;
}

int Number(const std::string& text, size_t begin, size_t end, int limit, const std::string& place) {
  int number = -1;
  const auto [last, error] = std::from_chars(text.data() + begin, text.data() + end, number);
  if (error != std::errc() || last != text.data() + end || number < 0 || number >= limit)
    throw lite::ConfigError(
        lite::StrCat("'", place, "' is no place, expected target/precision/layout by number"));
  return number;
}

}  // namespace

size_t PrecisionTypeLength(PrecisionType type) {
  static constexpr size_t kBytes[] = {0, 4, 1, 4, 0, 2, 0, 8, 2, 1, 8};
  const auto at = static_cast<size_t>(type);
  return at < std::size(kBytes) ? kBytes[at] : 0;
}

const std::string& TargetToStr(TargetType target) {
  static const Names<19> names = {"unk",
                                  "host",
                                  "x86",
                                  "cuda",
                                  "arm",
                                  "opencl",
                                  "any",
                                  "fpga",
                                  "npu",
                                  "xpu",
                                  "bm",
                                  "mlu",
                                  "rknpu",
                                  "apu",
                                  "huawei_ascend_npu",
                                  "imagination_nna",
                                  "intel_fpga",
                                  "metal",
                                  "nnadapter"};
  return NameOf(names, target, "target");
}

const std::string& TargetRepr(TargetType target) {
  static const Names<19> names = {"kUnk",
                                  "kHost",
                                  "kX86",
                                  "kCUDA",
                                  "kARM",
                                  "kOpenCL",
                                  "kAny",
                                  "kFPGA",
                                  "kNPU",
                                  "kXPU",
                                  "kBM",
                                  "kMLU",
                                  "kRKNPU",
                                  "kAPU",
                                  "kHuaweiAscendNPU",
                                  "kImaginationNNA",
                                  "kIntelFPGA",
                                  "kMetal",
                                  "kNNAdapter"};
  return NameOf(names, target, "target");
}

const std::string& PrecisionToStr(PrecisionType precision) {
  static const Names<11> names = {"unk",  "float",   "int8_t",  "int32_t", "any",   "float16",
                                  "bool", "int64_t", "int16_t", "uint8_t", "double"};
  return NameOf(names, precision, "precision");
}

const std::string& PrecisionRepr(PrecisionType precision) {
  static const Names<11> names = {"kUnk",  "kFloat", "kInt8",  "kInt32", "kAny", "kFP16",
                                  "kBool", "kInt64", "kInt16", "kUInt8", "kFP64"};
  return NameOf(names, precision, "precision");
}

const std::string& DataLayoutToStr(DataLayoutType layout) {
  static const Names<9> names = {"unk",           "NCHW",        "any",     "NHWC",
                                 "ImageDefault",  "ImageFolder", "ImageNW", "MetalTexture2DArray",
                                 "MetalTexture2D"};
  return NameOf(names, layout, "layout");
}

const std::string& DataLayoutRepr(DataLayoutType layout) {
  static const Names<9> names = {
      "kUnk",           "kNCHW",        "kAny",     "kNHWC",
      "kImageDefault",  "kImageFolder", "kImageNW", "kMetalTexture2DArray",
      "kMetalTexture2D"};
  return NameOf(names, layout, "layout");
}

const std::string& CLTuneModeToStr(CLTuneMode mode) {
  static const Names<4> names = {"CL_TUNE_NONE", "CL_TUNE_RAPID", "CL_TUNE_NORMAL",
                                 "CL_TUNE_EXHAUSTIVE"};
  return NameOf(names, mode, "tuning mode");
}

const std::string& CLPrecisionTypeToStr(CLPrecisionType type) {
  static const Names<3> names = {"CL_PRECISION_AUTO", "CL_PRECISION_FP32", "CL_PRECISION_FP16"};
  return NameOf(names, type, "OpenCL precision");
}

std::set<TargetType> ExpandValidTargets(TargetType target) { return Expand(target); }

std::set<PrecisionType> ExpandValidPrecisions(PrecisionType precision) { return Expand(precision); }

std::set<DataLayoutType> ExpandValidLayouts(DataLayoutType layout) { return Expand(layout); }

bool Place::operator<(const Place& other) const {
  if (target != other.target) return target < other.target;
  if (precision != other.precision) return precision < other.precision;
  if (layout != other.layout) return layout < other.layout;
  return device < other.device;
}

size_t Place::hash() const {
  size_t value = static_cast<size_t>(target);
  for (const auto part : {static_cast<size_t>(precision), static_cast<size_t>(layout),
                          static_cast<size_t>(static_cast<uint16_t>(device))})
    value = value * 65599 + part;
  return value;
}

std::string Place::Serialize() const {
  return lite::StrCat(static_cast<int>(target), "/", static_cast<int>(precision), "/",
                      static_cast<int>(layout));
}

void Place::Deserialize(const std::string& text) {
  const size_t first = text.find('/');
  const size_t second = first == std::string::npos ? first : text.find('/', first + 1);
  const size_t end = second == std::string::npos ? 0 : text.size();
  const auto number = [&](size_t begin, size_t stop, int limit) {
    return Number(text, std::min(begin, end), std::min(stop, end), limit, text);
  };
  const int new_target = number(0, first, static_cast<int>(TargetType::NUM));
  const int new_precision = number(first + 1, second, static_cast<int>(PrecisionType::NUM));
  const int new_layout = number(second + 1, end, static_cast<int>(DataLayoutType::NUM));
  target = static_cast<TargetType>(new_target);
  precision = static_cast<PrecisionType>(new_precision);
  layout = static_cast<DataLayoutType>(new_layout);
}

std::string Place::DebugString() const {
  return TargetToStr(target) + "/" + PrecisionToStr(precision) + "/" + DataLayoutToStr(layout);
}

}  // namespace paddle::lite_api
