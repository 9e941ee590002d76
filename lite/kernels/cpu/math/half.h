// float16 <-> float32, exactly, rounding to nearest even.
#pragma once

#include <cstdint>
#include <cstring>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// y[i] = x[i].
void HalvesToFloats(int64_t count, const uint16_t* x, float* y);
void FloatsToHalves(int64_t count, const float* x, uint16_t* y);

struct HalfTable {
  void (*to_floats)(int64_t count, const uint16_t* x, float* y);
  void (*to_halves)(int64_t count, const float* x, uint16_t* y);
};
LITE_ISA_DECLARE(HalfTable, kHalfTable)

// Of one number, without branches, and static: isa/ compiles them for vectors of its own.
static inline uint32_t HalfSelect(bool condition, uint32_t a, uint32_t b) {
  return b ^ ((a ^ b) & -static_cast<uint32_t>(condition));
}

static inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16, rest = half & 0x7fffu;
  const float multiple = static_cast<float>(static_cast<int32_t>(rest)) * 5.9604644775390625e-8f;
  uint32_t small = 0;  // a multiple of 2^-24
  std::memcpy(&small, &multiple, sizeof(small));
  const uint32_t normal = (rest << 13) + (112u << 23), infinite = rest << 13 | 0x7f800000u;
  const uint32_t bits =
      sign | HalfSelect(rest < 0x400u, small, HalfSelect(rest < 0x7c00u, normal, infinite));
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static inline uint16_t FloatToHalf(float value) {
  uint32_t all = 0, small = 0;
  std::memcpy(&all, &value, sizeof(all));
  const uint32_t bits = all & 0x7fffffffu;
  float magnitude = 0;
  std::memcpy(&magnitude, &bits, sizeof(magnitude));
  // Adding 0.5 leaves the multiple of 2^-24, rounded, in the low bits.
  magnitude += 0.5f;
  std::memcpy(&small, &magnitude, sizeof(small));
  const uint32_t normal = (bits + 0xfffu + (bits >> 13 & 1u) - 0x38000000u) >> 13;
  const uint32_t infinite = HalfSelect(bits > 0x7f800000u, 0x7e00u, 0x7c00u);
  const uint32_t half = HalfSelect(bits < 0x38800000u, small - 0x3f000000u,  // below 2^-14
                                   HalfSelect(bits < 0x47800000u, normal, infinite));
  return static_cast<uint16_t>(half | (all >> 16 & 0x8000u));
}

}  // namespace paddle::lite::math
