#include "lite/kernels/cpu/linear_algebra.h"

namespace paddle::lite {
namespace {

void InferCholeskyOp(InferContext& c) {
  RequireSquare(c, "X");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

void RunCholeskyOp(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back();
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    StoreMatrix(Cholesky(LoadMatrix(x, i, n * n), n, c.Attr<bool>("upper"), i), out, i);
  });
}

REGISTER_LITE_OP(cholesky)
    .Input("X")
    .Output("Out")
    .Attr<bool>("upper", false)
    .InferShape(InferCholeskyOp);
REGISTER_LITE_FUNCTION(cholesky, kHost, kAny, kNCHW, RunCholeskyOp, def);

}  // namespace
}  // namespace paddle::lite
