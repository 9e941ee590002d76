#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// Each row of Index (its last dimension) names a part of X to which its part of Updates is added.
void InferScatterNdAdd(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& updates = c.Input("Updates");
  const DDim expected = GatheredNdDims(x.dims, c.Input("Index"));
  c.Require(updates.dims == expected, "Updates has shape ", updates.dims, ", expected ", expected);
  if (updates.dtype != x.dtype)
    throw DataTypeError(StrCat("Updates is ", Name(updates.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunScatterNdAdd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& index = c.Input("Index");
  Tensor& out = c.Output("Out");
  const auto starts = NdPositions(x.dims(), index);
  const int64_t inner = x.dims().Count(static_cast<int>(index.dims().back()), x.dims().size());
  CopyElements(x, out);
  ForTypes<float, double, int32_t, int64_t, uint8_t, int16_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = c.Input("Updates").data<T>();
    T* to = out.mutable_data<T>();
    for (const int64_t start : starts)
      for (int64_t i = start; i < start + inner; ++i, ++from) to[i] = WrapAdd(to[i], *from);
  });
}

REGISTER_LITE_OP(scatter_nd_add)
    .Input("X")
    .Input("Index")
    .Input("Updates")
    .Output("Out")
    .InferShape(InferScatterNdAdd);
REGISTER_LITE_FUNCTION(scatter_nd_add, kHost, kAny, kNCHW, RunScatterNdAdd, def);

}  // namespace
}  // namespace paddle::lite
