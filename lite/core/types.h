// Element types, places and layouts, numbered as Paddle and Paddle Lite number them.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace paddle::lite {

// VarType.Type of ProgramDesc; also the `dtype` attributes of operators.
enum class DataType : int32_t {
  kBool = 0,
  kInt16 = 1,
  kInt32 = 2,
  kInt64 = 3,
  kFP16 = 4,
  kFP32 = 5,
  kFP64 = 6,
  kUInt8 = 20,
  kInt8 = 21,
  kComplex64 = 23,
  kComplex128 = 24,
};

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
};

enum class DataLayoutType : int { kUnk = 0, kNCHW = 1, kAny = 2, kNHWC = 3 };

// Bytes of one element; 0 for a number that is no DataType.
size_t SizeOf(DataType type);
// "float32", "int64", ...: numpy's spelling.
const char* Name(DataType type);
// True for the numbers that the enum names.
bool IsDataType(int number);
constexpr bool IsComplex(DataType type) {
  return type == DataType::kComplex64 || type == DataType::kComplex128;
}
// kUnk for complex numbers, which Paddle Lite has no precision for: only kernels of any precision
// take them.
PrecisionType ToPrecision(DataType type);

template <typename T>
struct DataTypeOf;
template <>
struct DataTypeOf<bool> {
  static constexpr DataType value = DataType::kBool;
};
template <>
struct DataTypeOf<int8_t> {
  static constexpr DataType value = DataType::kInt8;
};
template <>
struct DataTypeOf<uint8_t> {
  static constexpr DataType value = DataType::kUInt8;
};
template <>
struct DataTypeOf<int16_t> {
  static constexpr DataType value = DataType::kInt16;
};
template <>
struct DataTypeOf<int32_t> {
  static constexpr DataType value = DataType::kInt32;
};
template <>
struct DataTypeOf<int64_t> {
  static constexpr DataType value = DataType::kInt64;
};
template <>
struct DataTypeOf<float> {
  static constexpr DataType value = DataType::kFP32;
};
template <>
struct DataTypeOf<double> {
  static constexpr DataType value = DataType::kFP64;
};
template <>
struct DataTypeOf<std::complex<float>> {
  static constexpr DataType value = DataType::kComplex64;
};
template <>
struct DataTypeOf<std::complex<double>> {
  static constexpr DataType value = DataType::kComplex128;
};

}  // namespace paddle::lite
