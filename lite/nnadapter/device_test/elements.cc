#include "lite/nnadapter/device_test/elements.h"

#include <math.h>
#include <string.h>

#include <limits>

#include "nnadapter/hal/operand.h"

namespace device_test {
namespace {

namespace hal = nnadapter::hal;

template <typename T>
T At(const uint8_t* bytes, uint64_t index) {
  T value;
  memcpy(&value, bytes + index * sizeof(T), sizeof(T));
  return value;
}

double HalfToDouble(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value;
  if (exponent == 31)
    value = fraction ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else
    value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

}  // namespace

uint32_t ElementSize(int32_t precision) {
  return static_cast<uint32_t>(hal::DescribePrecision(precision).size);
}

ScaleKind ScaleKindOf(int32_t precision) {
  if (hal::IsSymmPerLayer(precision)) return ScaleKind::kLayer;
  if (hal::IsSymmPerChannel(precision)) return ScaleKind::kChannel;
  return hal::IsAsymmPerLayer(precision) ? ScaleKind::kAsymmetric : ScaleKind::kNone;
}

std::optional<uint64_t> ElementCount(const std::vector<int32_t>& dims) {
  if (dims.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return std::nullopt;
  uint64_t count = 1;
  bool empty = false;
  for (const int32_t dim : dims) {
    if (dim < 0) return std::nullopt;
    if (dim == 0)
      empty = true;
    else if ((count *= dim) > uint64_t{1} << 31)
      return std::nullopt;
  }
  return empty ? 0 : count;
}

bool IsReal(int32_t precision) {
  return precision == NNADAPTER_FLOAT16 || precision == NNADAPTER_FLOAT32 ||
         precision == NNADAPTER_FLOAT64;
}

double RealAt(int32_t precision, const uint8_t* bytes, uint64_t index) {
  switch (precision) {
    case NNADAPTER_FLOAT16:
      return HalfToDouble(At<uint16_t>(bytes, index));
    case NNADAPTER_FLOAT32:
      return At<float>(bytes, index);
    case NNADAPTER_FLOAT64:
      return At<double>(bytes, index);
    default:
      return static_cast<double>(IntegerAt(precision, bytes, index));
  }
}

int64_t IntegerAt(int32_t precision, const uint8_t* bytes, uint64_t index) {
  const bool has_sign = precision != NNADAPTER_BOOL8 && precision != NNADAPTER_UINT8 &&
                        precision != NNADAPTER_UINT16 && precision != NNADAPTER_UINT32 &&
                        precision != NNADAPTER_UINT64 &&
                        ScaleKindOf(precision) != ScaleKind::kAsymmetric;
  switch (ElementSize(precision)) {
    case 1:
      return has_sign ? At<int8_t>(bytes, index) : At<uint8_t>(bytes, index);
    case 2:
      return has_sign ? At<int16_t>(bytes, index) : At<uint16_t>(bytes, index);
    case 4:
      return has_sign ? At<int32_t>(bytes, index) : int64_t{At<uint32_t>(bytes, index)};
    default:
      return At<int64_t>(bytes, index);
  }
}

}  // namespace device_test
