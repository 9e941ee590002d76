#pragma once

// One number from the lanes of a vector.

#include "lite/kernels/cpu/math/isa/vec.h"

namespace paddle::lite::math::LITE_ISA {

LITE_INLINE float SumLanes(V v) {
  float lanes[kW];
  Store(lanes, v);
  for (int step = kW / 2; step > 0; step /= 2)
    for (int i = 0; i < step; ++i) lanes[i] += lanes[i + step];
  return lanes[0];
}

LITE_INLINE float MaxLane(V v) {
  float lanes[kW];
  Store(lanes, v);
  for (int step = kW / 2; step > 0; step /= 2)
    for (int i = 0; i < step; ++i)
      lanes[i] = lanes[i + step] > lanes[i] ? lanes[i + step] : lanes[i];
  return lanes[0];
}

}  // namespace paddle::lite::math::LITE_ISA
