// Out = X^n for square matrices; a negative n takes powers of the inverse.
#include <cstdlib>

#include "lite/kernels/cpu/linear_algebra.h"
#include "lite/kernels/cpu/product.h"

namespace paddle::lite {
namespace {

void InferMatrixPower(InferContext& c) {
  RequireSquare(c, "X");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

Matrix Times(const Matrix& x, const Matrix& y, int64_t n) {
  Matrix out(x.size());
  Product p;
  p.m = p.n = p.k = n;
  PlainProduct(p, x.data(), y.data(), out.data());
  return out;
}

// By repeated squaring.
Matrix Power(Matrix x, int64_t n, int64_t exponent) {
  Matrix result(x.size(), 0);
  for (int64_t i = 0; i < n; ++i) result[static_cast<size_t>(i * n + i)] = 1;
  for (bool first = true; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) {
      result = first ? x : Times(result, x, n);
      first = false;
    }
    if (exponent > 1) x = Times(x, x, n);
  }
  return result;
}

void RunMatrixPower(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back(), exponent = c.Attr<int32_t>("n");
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    Matrix matrix = LoadMatrix(x, i, n * n);
    if (exponent < 0) matrix = Inverted(std::move(matrix), n, i);
    StoreMatrix(Power(std::move(matrix), n, std::abs(exponent)), out, i);
  });
}

REGISTER_LITE_OP(matrix_power)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("n")
    .InferShape(InferMatrixPower);
REGISTER_LITE_FUNCTION(matrix_power, kHost, kAny, kNCHW, RunMatrixPower, def);

}  // namespace
}  // namespace paddle::lite
