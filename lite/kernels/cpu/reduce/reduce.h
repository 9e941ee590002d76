// Reductions X -> Out over the dims `dim`; some operators say `axis`, and `keepdim` for `keep_dim`.
#pragma once

#include <string>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/reduce.h"

namespace paddle::lite {

// Which dims are reduced: those of the input AxisTensor or of `dim`, all where there are none or
// `reduce_all` is set.
std::vector<bool> ReducedDims(const InferContext& c, int rank);
std::vector<bool> ReducedDims(const KernelContext& c, int rank);

// Checks `dim`, the type (one of `types`) and sets Out's shape; `out` is Out's type. `of_nothing`:
// the reduction of no element at all has a result.
void InferReduce(InferContext& c, const std::vector<DataType>& types, DataType out,
                 bool of_nothing = false);

// X as [outer, axis, inner] with the middle to be reduced. Where its dims do not lie like that,
// `moved` holds a copy that does.
struct ReduceView {
  int64_t outer = 1, axis = 1, inner = 1;
  const void* data = nullptr;
  std::vector<char> moved;
};
// `reduced` follows the tensor's logical dims.
ReduceView MakeReduceView(const Tensor& x, const std::vector<bool>& reduced, int threads);

// out = fn(line, count, step) for every line of X that becomes one number; its `count` numbers are
// `step` apart.
template <typename T, typename R, typename Fn>
void ReduceLines(KernelContext& c, Fn fn) {
  const Tensor& x = c.Input(FirstInput(c.op()));
  const ReduceView view = MakeReduceView(x, ReducedDims(c, x.dims().size()), c.threads());
  const T* from = static_cast<const T*>(view.data);
  R* to = c.Output(FirstOutput(c.op())).mutable_data<R>();
  math::ParallelRange(
      c.threads(), view.outer * view.inner,
      math::kElementGrain / std::max<int64_t>(view.axis, 1) + 1, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          to[i] = fn(from + i / view.inner * view.axis * view.inner + i % view.inner, view.axis,
                     view.inner);
      });
}

// The fp32 kernel.
void RunReduceFloat(KernelContext& c, math::Reduction reduction);

// out = fold(start, x...) for other types; `finish(value, count)` makes the result.
template <typename T, typename R, typename Fold, typename Finish>
void ReduceWith(KernelContext& c, R start, Fold fold, Finish finish) {
  const Tensor& x = c.Input(FirstInput(c.op()));
  const ReduceView view = MakeReduceView(x, ReducedDims(c, x.dims().size()), c.threads());
  const T* from = static_cast<const T*>(view.data);
  R* to = c.Output(FirstOutput(c.op())).mutable_data<R>();
  for (int64_t i = 0; i < view.outer * view.inner; ++i) {
    const T* at = from + i / view.inner * view.axis * view.inner + i % view.inner;
    R value = start;
    for (int64_t a = 0; a < view.axis; ++a) value = fold(value, at[a * view.inner]);
    to[i] = finish(value, view.axis);
  }
}

}  // namespace paddle::lite
