#pragma once

// How wide the panels of packed matrices are: their vectors are those of a microkernel.

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

// Of every panel but the last; what is left over is one more panel, or in the last one if that is
// no wider than kLastPanelVectors.
#if defined(__aarch64__)
constexpr int kPanelVectors = 4, kLastPanelVectors = 4;
constexpr bool kReadsTails = false;
#else
constexpr int kPanelVectors = 2, kLastPanelVectors = 3;
// Whether microkernels read and write a part of a vector.
constexpr bool kReadsTails = true;
#endif

LITE_INLINE int64_t PanelsOf(int64_t vectors) {
  constexpr int64_t kSpare = 2 * kPanelVectors - 1 - kLastPanelVectors;
  return vectors + kSpare < kPanelVectors ? 1 : (vectors + kSpare) / kPanelVectors;
}

}  // namespace paddle::lite::math::LITE_ISA
