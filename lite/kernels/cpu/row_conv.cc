// Lookahead convolution: each row and those after it in its sequence, weighed per feature.
#include <algorithm>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

// Sequences of a LoD, or [batch, time, features] without one.
Offsets SequencesOf(const TensorMeta& x) {
  if (x.dims.size() != 3) return OnlyOffsets(x, "X");
  Offsets offsets;
  for (int64_t i = 0; i <= x.dims[0]; ++i)
    offsets.push_back(static_cast<uint64_t>(i) * static_cast<uint64_t>(x.dims[1]));
  return offsets;
}

void InferRowConv(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &filter = c.Input("Filter");
  c.Require(x.dims.size() == 2 || x.dims.size() == 3, "input X has shape ", x.dims,
            ", expected rank 2 or 3");
  SequencesOf(x);
  c.Require(filter.dims.size() == 2 && filter.dims[0] >= 1 && filter.dims[1] == x.dims.back(),
            "input Filter has shape ", filter.dims, ", expected [rows, ", x.dims.back(), "]");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  if (filter.dtype != x.dtype)
    throw DataTypeError(
        StrCat("input Filter is ", Name(filter.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RowConv(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Offsets offsets = SequencesOf(input.meta());
  const auto width = static_cast<uint64_t>(input.dims().back());
  const auto taps = static_cast<uint64_t>(c.Input("Filter").dims()[0]);
  const T *x = input.data<T>(), *w = c.Input("Filter").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  std::fill(out, out + input.numel(), T{0});
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    for (uint64_t row = offsets[s]; row < offsets[s + 1]; ++row)
      for (uint64_t tap = 0; tap < std::min(taps, offsets[s + 1] - row); ++tap)
        for (uint64_t i = 0; i < width; ++i)
          out[row * width + i] += x[(row + tap) * width + i] * w[tap * width + i];
}

void RunRowConv(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { RowConv<decltype(type)>(c); });
}

REGISTER_LITE_OP(row_conv).Input("X").Input("Filter").Output("Out").InferShape(InferRowConv);
REGISTER_LITE_FUNCTION(row_conv, kHost, kAny, kNCHW, RunRowConv, def);

}  // namespace
}  // namespace paddle::lite
