// float16 <-> float32, exactly, rounding to nearest even.
#pragma once

#include <cstdint>
#include <cstring>

namespace paddle::lite {

inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1fu, mantissa = half & 0x3ffu;
  float value = 0;
  uint32_t bits = 0;
  if (exponent == 0) {
    value = static_cast<float>(mantissa) * 5.9604644775390625e-8f;  // 2^-24
    std::memcpy(&bits, &value, sizeof(bits));
  } else {
    bits = (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | mantissa << 13;
  }
  bits |= sign;
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

inline uint16_t FloatToHalf(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u) return sign | 0x7e00u;
  if (bits >= 0x47800000u) return sign | 0x7c00u;  // 65536 and above
  if (bits < 0x38800000u) {                        // below 2^-14: a multiple of 2^-24
    float magnitude = 0;
    std::memcpy(&magnitude, &bits, sizeof(bits));
    // Adding 0.5 leaves the multiple of 2^-24, rounded, in the low bits.
    magnitude += 0.5f;
    std::memcpy(&bits, &magnitude, sizeof(bits));
    return static_cast<uint16_t>(sign | (bits - 0x3f000000u));
  }
  bits += 0xfffu + (bits >> 13 & 1u);
  return static_cast<uint16_t>(sign | (bits - 0x38000000u) >> 13);
}

}  // namespace paddle::lite
