// Out = X * Vec, a matrix times a vector.
#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

void InferMv(InferContext& c) {
  RequireMatMulTypes(c, "X", "Vec");
  const TensorMeta& x = c.Input("X");
  const DDim& vec = c.Dims("Vec");
  c.Require(x.dims.size() == 2 && vec.size() == 1 && x.dims[1] == vec[0], "input X of shape ",
            x.dims, " and Vec of shape ", vec, ", expected m x k and k");
  c.SetOutput("Out", DDim{x.dims[0]}, x.dtype);
}

void RunMv(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Product p;
  p.m = x.dims()[0], p.k = x.dims()[1];
  ForTypes<float, double, int32_t, int64_t>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    Multiply(c.threads(), p, x.data<T>(), c.Input("Vec").data<T>(),
             c.Output("Out").mutable_data<T>());
  });
}

REGISTER_LITE_OP(mv).Input("X").Input("Vec").Output("Out").InferShape(InferMv);
REGISTER_LITE_FUNCTION(mv, kHost, kAny, kNCHW, RunMv, def);

}  // namespace
}  // namespace paddle::lite
