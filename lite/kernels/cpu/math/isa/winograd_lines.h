#pragma once

// Winograd's F(2, 3) along one axis, which floats and integers share.

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

template <typename T>
LITE_INLINE void InputOf4(const T* d, T* o) {
  o[0] = d[0] - d[2];
  o[1] = d[1] + d[2];
  o[2] = d[2] - d[1];
  o[3] = d[1] - d[3];
}

template <typename T>
LITE_INLINE void OutputOf4(const T* m, T* o) {
  o[0] = m[0] + m[1] + m[2];
  o[1] = m[1] - m[2] - m[3];
}

}  // namespace paddle::lite::math::LITE_ISA
