#include "lite/kernels/cpu/shape/slices.h"

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite {

Slices SlicesOf(const DDim& dims) { return {dims[2], dims[1], dims[3] * dims[4]}; }

void ToSlices(int threads, const Slices& s, const SlicePlace& place, const float* x, float* y) {
  ParallelFor(threads, s.depth, [&](int64_t d) {
    math::Transpose(s.channels, s.plane, x + d * s.plane, s.depth * s.plane,
                    y + place(d) * s.floats(), s.channels);
  });
}

void FromSlices(int threads, const Slices& s, const SlicePlace& place, const float* x, float* y) {
  ParallelFor(threads, s.depth, [&](int64_t d) {
    math::Transpose(s.plane, s.channels, x + place(d) * s.floats(), s.channels, y + d * s.plane,
                    s.depth * s.plane);
  });
}

}  // namespace paddle::lite
