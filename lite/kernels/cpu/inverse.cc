#include "lite/kernels/cpu/linear_algebra.h"

namespace paddle::lite {
namespace {

void InferInverse(InferContext& c) {
  RequireSquare(c, "Input");
  c.SetOutput("Output", c.Dims("Input"), c.Input("Input").dtype);
}

void RunInverse(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Output");
  const int64_t n = x.dims().back();
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(),
                [&](int64_t i) { StoreMatrix(Inverted(LoadMatrix(x, i, n * n), n, i), out, i); });
}

REGISTER_LITE_OP(inverse).Input("Input").Output("Output").InferShape(InferInverse);
REGISTER_LITE_FUNCTION(inverse, kHost, kAny, kNCHW, RunInverse, def);

}  // namespace
}  // namespace paddle::lite
