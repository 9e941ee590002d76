// What pool2d and pool3d share: declaration, shape inference and the reference.
#pragma once

#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/pooling/window.h"

namespace paddle::lite {

// The windows of a pooling over up to three axes; in two dimensions the first axis has one element.
struct PoolShape {
  bool max = false, exclusive = true;
  bool adaptive = false;  // window i covers [floor(i * in / out), ceil((i + 1) * in / out))
  std::array<int64_t, 3> in{1, 1, 1}, out{1, 1, 1};
  std::array<Window, 3> window;
};

// The elements [first, last) of one axis that a window covers, and what it adds to the divisor of
// an average that counts padding.
struct PoolRange {
  int64_t first, last, padded;
};
PoolRange RangeOf(const PoolShape& shape, size_t axis, int64_t out);

OpInfo& DeclarePool(OpInfo& info, int spatial_rank);
void InferPool(InferContext& c);

// The shape of a pooling that InferPool has accepted. `kernel` names the attribute with its size.
PoolShape ResolvePool(const OpLite& op, const DDim& in, const char* kernel = "ksize");

// One window over a plane, by the definition.
template <typename T>
T PoolWindow(const PoolShape& s, const T* x, const PoolRange& z, const PoolRange& y,
             const PoolRange& w) {
  T result = s.max ? std::numeric_limits<T>::lowest() : T{0};
  for (int64_t iz = z.first; iz < z.last; ++iz)
    for (int64_t iy = y.first; iy < y.last; ++iy)
      for (int64_t ix = w.first; ix < w.last; ++ix) {
        const T value = x[(iz * s.in[1] + iy) * s.in[2] + ix];
        if (s.max)
          result = result > value ? result : value;
        else
          result += value;
      }
  const bool empty = z.first >= z.last || y.first >= y.last || w.first >= w.last;
  if (s.max || empty) return result;
  const bool covered = s.exclusive || s.adaptive;
  const int64_t divisor = covered ? (z.last - z.first) * (y.last - y.first) * (w.last - w.first)
                                  : z.padded * y.padded * w.padded;
  return result / static_cast<T>(divisor);
}

// In plain loops over row-major tensors of float or double. A window without any element gives the
// lowest number, or an average of 0.
void RunPoolReference(KernelContext& c);

}  // namespace paddle::lite
