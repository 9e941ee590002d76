#include "lite/kernels/cpu/fill.h"

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "lite/kernels/cpu/half.h"

namespace paddle::lite {
namespace {

// Truncates; what no int64 can hold becomes its smallest value, as the processor has it.
int64_t ToInteger(const FillValue& value) {
  if (value.is_integer) return value.integer;
  constexpr double kLimit = 9223372036854775808.0;
  if (value.real >= -kLimit && value.real < kLimit) return static_cast<int64_t>(value.real);
  return std::numeric_limits<int64_t>::min();
}

double ToReal(const FillValue& value) {
  return value.is_integer ? static_cast<double>(value.integer) : value.real;
}

template <typename T>
size_t Store(T value, void* to) {
  std::memcpy(to, &value, sizeof value);
  return sizeof value;
}

// "(1+2j)", "-1e3-infj", "2j": what Python makes of a complex number.
std::optional<FillValue> ParseComplex(const std::string& text) {
  const bool enclosed = text.size() > 2 && text.front() == '(' && text.back() == ')';
  const std::string inner = enclosed ? text.substr(1, text.size() - 2) : text;
  if (inner.size() < 2 || inner.back() != 'j') return std::nullopt;
  const char* last = inner.c_str() + inner.size() - 1;
  char* end = nullptr;
  const double first = std::strtod(inner.c_str(), &end);
  if (end == inner.c_str()) return std::nullopt;
  if (end == last) return FillValue{0, 0, false, first};
  if (*end != '+' && *end != '-') return std::nullopt;
  const double second = std::strtod(end, &end);
  if (end != last) return std::nullopt;
  return FillValue{first, 0, false, second};
}

size_t StoreComplex(const FillValue& value, DataType dtype, void* to) {
  const double real = ToReal(value);
  if (dtype == DataType::kComplex128) return Store(std::complex<double>(real, value.imag), to);
  return Store(std::complex<float>(static_cast<float>(real), static_cast<float>(value.imag)), to);
}

}  // namespace

FillValue FillValue::Parse(const std::string& text, const char* attribute) {
  if (text == "True" || text == "true") return {0, 1, true};
  if (text == "False" || text == "false") return {0, 0, true};
  char* end = nullptr;
  errno = 0;
  const long long integer = std::strtoll(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0' && errno == 0) return {0, integer, true};
  if (const auto complex = ParseComplex(text)) return *complex;
  const double real = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0')
    throw LiteError(StrCat("attribute ", attribute, " is \"", text, "\", expected a number"));
  return Of(real);
}

FillValue FillValue::From(const Tensor& tensor, const char* slot) {
  if (tensor.numel() != 1)
    throw ShapeError(
        StrCat("input ", slot, " has shape ", tensor.dims(), ", expected one element"));
  switch (tensor.dtype()) {
    case DataType::kBool:
      return {0, *tensor.data<bool>() ? 1 : 0, true};
    case DataType::kInt8:
      return {0, *tensor.data<int8_t>(), true};
    case DataType::kUInt8:
      return {0, *tensor.data<uint8_t>(), true};
    case DataType::kInt16:
      return {0, *tensor.data<int16_t>(), true};
    case DataType::kInt32:
      return {0, *tensor.data<int32_t>(), true};
    case DataType::kInt64:
      return {0, *tensor.data<int64_t>(), true};
    case DataType::kFP16: {
      uint16_t bits;
      std::memcpy(&bits, tensor.raw_data(), sizeof bits);
      return Of(HalfToFloat(bits));
    }
    case DataType::kFP32:
      return Of(*tensor.data<float>());
    case DataType::kFP64:
      return Of(*tensor.data<double>());
    case DataType::kComplex64: {
      const auto value = *tensor.data<std::complex<float>>();
      return {value.real(), 0, false, value.imag()};
    }
    case DataType::kComplex128: {
      const auto value = *tensor.data<std::complex<double>>();
      return {value.real(), 0, false, value.imag()};
    }
  }
  throw DataTypeError(StrCat("input ", slot, " is of an unknown type"));
}

size_t StoreElement(const FillValue& value, DataType dtype, void* to) {
  if (value.imag != 0 && !IsComplex(dtype))
    throw DataTypeError(StrCat("the complex number (", ToReal(value), ", ", value.imag,
                               ") does not fit into a ", Name(dtype), " tensor"));
  switch (dtype) {
    case DataType::kBool:
      return Store<uint8_t>(ToReal(value) != 0, to);
    case DataType::kInt8:
    case DataType::kUInt8:
      return Store(static_cast<uint8_t>(ToInteger(value)), to);
    case DataType::kInt16:
      return Store(static_cast<int16_t>(ToInteger(value)), to);
    case DataType::kInt32:
      return Store(static_cast<int32_t>(ToInteger(value)), to);
    case DataType::kInt64:
      return Store(ToInteger(value), to);
    case DataType::kFP16:
      return Store(FloatToHalf(static_cast<float>(ToReal(value))), to);
    case DataType::kFP32:
      return Store(static_cast<float>(ToReal(value)), to);
    case DataType::kFP64:
      return Store(ToReal(value), to);
    case DataType::kComplex64:
    case DataType::kComplex128:
      return StoreComplex(value, dtype, to);
  }
  throw DataTypeError("a tensor of an unknown type cannot be filled");
}

void Fill(Tensor& out, const FillValue& value, int threads) {
  alignas(16) char element[kMaxElementSize];
  const size_t size = StoreElement(value, out.dtype(), element);
  math::FillElements(MutableBytes(out), element, size, out.numel(), threads);
}

}  // namespace paddle::lite
