// Out = the sum of X * Y along the last of one or two dims.
#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

void InferDot(InferContext& c) {
  RequireMatMulTypes(c, "X", "Y");
  const TensorMeta& x = c.Input("X");
  const int rank = x.dims.size();
  c.Require((rank == 1 || rank == 2) && x.dims == c.Dims("Y"), "inputs X of shape ", x.dims,
            " and Y of shape ", c.Dims("Y"), ", expected equal shapes of rank 1 or 2");
  c.SetOutput("Out", DDim(x.dims.begin(), static_cast<size_t>(rank - 1)), x.dtype);
}

void RunDot(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Product p;
  p.k = x.dims().back();
  p.batch = c.Output("Out").numel();
  p.step_x = p.step_y = p.k;
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Multiply(c.threads(), p, x.data<T>(), c.Input("Y").data<T>(),
             c.Output("Out").mutable_data<T>());
  });
}

REGISTER_LITE_OP(dot).Input("X").Input("Y").Output("Out").InferShape(InferDot);
REGISTER_LITE_FUNCTION(dot, kHost, kAny, kNCHW, RunDot, def);

}  // namespace
}  // namespace paddle::lite
