#include "lite/kernels/cpu/sort.h"

namespace paddle::lite {
namespace {

void InferTopK(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t k = IntOf<int32_t>(c, "K", "k");
  c.Require(!x.dims.empty() && k >= 1 && k <= x.dims.back(), "k is ", k, ", but X has shape ",
            x.dims);
  DDim out = x.dims;
  out[out.size() - 1] = k;
  c.SetOutput("Out", out, x.dtype, x.lod);
  c.SetOutput("Indices", out, DataType::kInt64, x.lod);
}

void RunTopK(KernelContext& c) {
  const Tensor& x = c.Input("X");
  SortLines(x, {x.dims().size() - 1, true}, c.Output("Out"), c.Output("Indices"), c.threads());
}

REGISTER_LITE_OP(top_k)
    .Input("X")
    .OptionalInput("K")
    .Output("Out")
    .Output("Indices")
    .Attr<int32_t>("k", 1)
    .InferShape(InferTopK);
REGISTER_LITE_FUNCTION(top_k, kHost, kAny, kNCHW, RunTopK, def);

}  // namespace
}  // namespace paddle::lite
