#pragma once

// AMX's instructions. As assembly: compilers have them under options and names of their own. Tests
// put a software model in their place (tests/math/tile_model.h).

#include <stdint.h>

namespace paddle::lite::math::LITE_ISA {

// What TileConfigure reads: the shapes of the eight tiles.
struct alignas(64) TileShapes {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};
};

}  // namespace paddle::lite::math::LITE_ISA

#if defined(LITE_TILE_MODEL)
#include LITE_TILE_MODEL
#else

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

// All tiles become 0.
LITE_INLINE void TileConfigure(const TileShapes& shapes) {
  asm volatile("ldtilecfg %0" ::"m"(shapes));
}

// After it switches of threads have no tiles to save.
LITE_INLINE void TileRelease() { asm volatile("tilerelease"); }

template <int tile>
LITE_INLINE void TileZero() {
  asm volatile("tilezero %%tmm%c0" ::"i"(tile));
}

// Rows `stride` bytes apart.
template <int tile>
LITE_INLINE void TileLoad(const void* from, int64_t stride) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(stride), "i"(tile) : "memory");
}

template <int tile>
LITE_INLINE void TileStore(void* to, int64_t stride) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(stride), "i"(tile) : "memory");
}

// sum += left * right, of bf16 in fp32.
template <int sum, int left, int right>
LITE_INLINE void TileMultiply() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sum), "i"(left), "i"(right));
}

// sum += left * right, of bytes in int32; those on the left have no sign.
template <int sum, int left, int right>
LITE_INLINE void TileMultiplyBytes() {
  asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(sum), "i"(left), "i"(right));
}

}  // namespace paddle::lite::math::LITE_ISA

#endif
