// determinant, and slogdeterminant: its sign and the logarithm of its absolute value.
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/linear_algebra.h"

namespace paddle::lite {
namespace {

DDim BatchOf(const DDim& dims) { return {dims.begin(), static_cast<size_t>(dims.size() - 2)}; }

void InferDeterminant(InferContext& c) {
  RequireSquare(c, "Input");
  c.SetOutput("Out", BatchOf(c.Dims("Input")), c.Input("Input").dtype);
}

void RunDeterminant(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back();
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    StoreMatrix({LuFactors(LoadMatrix(x, i, n * n), n).Determinant()}, out, i);
  });
}

REGISTER_LITE_OP(determinant).Input("Input").Output("Out").InferShape(InferDeterminant);
REGISTER_LITE_FUNCTION(determinant, kHost, kAny, kNCHW, RunDeterminant, def);

void InferSlogdeterminant(InferContext& c) {
  RequireSquare(c, "Input");
  DDim out{2};
  for (const int64_t dim : BatchOf(c.Dims("Input"))) out.push_back(dim);
  c.SetOutput("Out", out, c.Input("Input").dtype);
}

void RunSlogdeterminant(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back(), count = out.numel() / 2;
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    const LuFactors factors(LoadMatrix(x, i, n * n), n);
    StoreMatrix({factors.Sign()}, out, i);
    StoreMatrix({factors.LogAbsDeterminant()}, out, count + i);
  });
}

REGISTER_LITE_OP(slogdeterminant).Input("Input").Output("Out").InferShape(InferSlogdeterminant);
REGISTER_LITE_FUNCTION(slogdeterminant, kHost, kAny, kNCHW, RunSlogdeterminant, def);

}  // namespace
}  // namespace paddle::lite
