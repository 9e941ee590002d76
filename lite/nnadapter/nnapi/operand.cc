#include "lite/nnadapter/nnapi/operand.h"

#include <cstring>

#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {

bool IsOperandCode(int32_t code) { return FindOperandCode(code) != nullptr; }

bool IsTensor(int32_t code) {
  const OperandCodeInfo* info = FindOperandCode(code);
  return info && info->tensor;
}

size_t ElementSize(int32_t code) {
  const OperandCodeInfo* info = FindOperandCode(code);
  return info ? info->size : 0;
}

const char* OperandCodeName(int32_t code) {
  const OperandCodeInfo* info = FindOperandCode(code);
  return info ? info->name : "an unknown type";
}

bool IsShapeKnown(const OperandType& type) {
  if (!IsTensor(type.code)) return true;
  for (uint32_t extent : type.dims)
    if (extent == 0) return false;
  return !type.dims.empty();
}

size_t ElementCount(const OperandType& type) {
  size_t count = 1;
  for (uint32_t extent : type.dims) count *= extent;
  return count;
}

std::string TypeText(const OperandType& type) {
  std::string text = OperandCodeName(type.code);
  if (!IsTensor(type.code)) return text;
  text += " [";
  for (size_t i = 0; i < type.dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += type.dims[i] == 0 ? "?" : std::to_string(type.dims[i]);
  }
  return text + (type.dims.empty() ? "...]" : "]");
}

float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
  if (exponent == 0) {
    const float tiny = static_cast<float>(mantissa) / 16777216.0f;  // 2^-24
    return sign ? -tiny : tiny;
  }
  const uint32_t bits = sign | ((exponent == 31 ? 255 : exponent + 112) << 23) | (mantissa << 13);
  float number = 0;
  std::memcpy(&number, &bits, sizeof(number));
  return number;
}

// To the nearest, to the even one of two.
uint16_t FloatToHalf(float number) {
  uint32_t bits = 0;
  std::memcpy(&bits, &number, sizeof(bits));
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t size = bits & 0x7fffffffu;
  if (size > 0x7f800000u) return sign | 0x7e00u;   // not a number
  if (size >= 0x477ff000u) return sign | 0x7c00u;  // 65520 and more round to infinity
  const auto rounded = [](uint32_t value, uint32_t shift) {
    const uint32_t half = 1u << (shift - 1), rest = value & ((1u << shift) - 1);
    const uint32_t kept = value >> shift;
    return kept + ((rest > half || (rest == half && (kept & 1))) ? 1 : 0);
  };
  if (size >= 0x38800000u) return static_cast<uint16_t>(sign | rounded(size - 0x38000000u, 13));
  const uint32_t shift = 126 - (size >> 23);
  if (shift > 24) return sign;
  return static_cast<uint16_t>(sign | rounded((size & 0x7fffffu) | 0x800000u, shift));
}

}  // namespace nnadapter::nnapi
