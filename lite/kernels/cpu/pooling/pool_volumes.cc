// pool3d in fp32: each slice is pooled as an image, then the slices of each window.
#include <algorithm>
#include <limits>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/packing.h"
#include "lite/kernels/cpu/pooling/pool.h"
#include "lite/kernels/cpu/shape/slices.h"

namespace paddle::lite {
namespace {

// NaN stays NaN.
float Larger(float a, float b) { return a >= b || a != a ? a : b; }

// One slice of the output from those of a window.
void PoolSlices(const PoolShape& s, const PoolRange& range, int64_t floats, const float* x,
                float* y) {
  if (range.first >= range.last) {
    std::fill_n(y, floats, s.max ? std::numeric_limits<float>::lowest() : 0.0f);
    return;
  }
  std::copy_n(x + range.first * floats, floats, y);
  for (int64_t d = range.first + 1; d < range.last; ++d) {
    const float* const slice = x + d * floats;
    if (s.max)
      for (int64_t i = 0; i < floats; ++i) y[i] = Larger(y[i], slice[i]);
    else
      for (int64_t i = 0; i < floats; ++i) y[i] += slice[i];
  }
  const bool covered = s.exclusive || s.adaptive;
  const int64_t divisor = s.max ? 1 : covered ? range.last - range.first : range.padded;
  if (divisor == 1) return;
  for (int64_t i = 0; i < floats; ++i) y[i] /= static_cast<float>(divisor);
}

void RunPoolVolumes(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const PoolShape s = ResolvePool(c.op(), input.dims());
  float* y = c.Output("Out").mutable_data<float>();
  if (c.Output("Out").numel() == 0) return;
  const Slices in = SlicesOf(input.dims()), out = SlicesOf(c.Output("Out").dims());
  const ImagePool pool(s, in.depth, in.channels);
  math::AlignedFloats x_slices(in.all()), pooled(in.depth * out.floats()), y_slices(out.all());
  const float* x = input.data<float>();
  for (int64_t n = 0; n < input.dims()[0]; ++n, x += in.all(), y += out.all()) {
    ToSlices(c.threads(), in, InOrder, x, x_slices.data());
    pool.Run(c.threads(), x_slices.data(), pooled.data());
    ParallelFor(c.threads(), out.depth, [&](int64_t d) {
      PoolSlices(s, RangeOf(s, 0, d), out.floats(), pooled.data(),
                 y_slices.data() + d * out.floats());
    });
    FromSlices(c.threads(), out, InOrder, y_slices.data(), y);
  }
}

REGISTER_LITE_FUNCTION(pool3d, kHost, kFloat, kNCHW, RunPoolVolumes, def);

}  // namespace
}  // namespace paddle::lite
