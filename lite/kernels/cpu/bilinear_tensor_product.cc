// Out[b][o] = X[b] * Weight[o] * Y[b]^T + Bias[o].
#include <vector>

#include "lite/kernels/cpu/matmul.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

void InferBilinearTensorProduct(InferContext& c) {
  RequireFloating(c, "X");
  RequireMatMulTypes(c, "X", "Y");
  RequireMatMulTypes(c, "X", "Weight");
  const TensorMeta& x = c.Input("X");
  const DDim &y = c.Dims("Y"), &w = c.Dims("Weight");
  c.Require(x.dims.size() == 2 && y.size() == 2 && w.size() == 3 && x.dims[0] == y[0] &&
                x.dims[1] == w[1] && y[1] == w[2],
            "inputs X of shape ", x.dims, ", Y of shape ", y, " and Weight of shape ", w,
            ", expected b x m, b x n and o x m x n");
  RequireElements(c, "Bias", w[0]);
  c.SetOutput("Out", DDim{x.dims[0], w[0]}, x.dtype);
}

template <typename T>
void RunBilinearTensorProductAs(KernelContext& c) {
  const Tensor& weight = c.Input("Weight");
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  const T* bias = DataOrNull<T>(c, "Bias");
  T* out = c.Output("Out").mutable_data<T>();
  const int64_t outputs = weight.dims()[0];
  Product p;
  p.m = c.Input("X").dims()[0], p.k = weight.dims()[1], p.n = weight.dims()[2];
  Tensor product;
  product.Allocate(DDim{p.m, p.n}, weight.dtype());
  T* xw = product.mutable_data<T>();
  for (int64_t o = 0; o < outputs; ++o) {
    Multiply(c.threads(), p, x, weight.data<T>() + o * p.k * p.n, xw);
    for (int64_t b = 0; b < p.m; ++b) {
      T sum = bias == nullptr ? T{0} : bias[o];
      for (int64_t j = 0; j < p.n; ++j) sum += xw[b * p.n + j] * y[b * p.n + j];
      out[b * outputs + o] = sum;
    }
  }
}

void RunBilinearTensorProduct(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunBilinearTensorProductAs<double>(c);
  RunBilinearTensorProductAs<float>(c);
}

REGISTER_LITE_OP(bilinear_tensor_product)
    .Input("X")
    .Input("Y")
    .Input("Weight")
    .OptionalInput("Bias")
    .Output("Out")
    .InferShape(InferBilinearTensorProduct);
REGISTER_LITE_FUNCTION(bilinear_tensor_product, kHost, kAny, kNCHW, RunBilinearTensorProduct, def);

}  // namespace
}  // namespace paddle::lite
