#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferSequenceSoftmax(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  FinestOffsets(x, "X");
  c.Require(x.dims.production() == x.dims[0], "input X has shape ", x.dims,
            ", expected one value in a row");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void Softmax(const T* x, T* out, uint64_t count) {
  if (count == 0) return;
  const T top = *std::max_element(x, x + count);
  T sum = 0;
  for (uint64_t i = 0; i < count; ++i) sum += out[i] = std::exp(x[i] - top);
  for (uint64_t i = 0; i < count; ++i) out[i] /= sum;
}

void RunSequenceSoftmax(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Offsets& offsets = FinestOffsets(x.meta(), "X");
  VisitFloat(x.dtype(), "X", [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    T* to = c.Output("Out").mutable_data<T>();
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      Softmax(from + offsets[i], to + offsets[i], offsets[i + 1] - offsets[i]);
  });
}

}  // namespace

REGISTER_LITE_OP(sequence_softmax).Input("X").Output("Out").InferShape(InferSequenceSoftmax);
REGISTER_LITE_FUNCTION(sequence_softmax, kHost, kAny, kNCHW, RunSequenceSoftmax, def);

}  // namespace paddle::lite
