// squared_l2_norm: the sum of X's squares, of shape [1]. clip_by_norm: X, scaled down where the
// root of that sum is above `max_norm`.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

template <typename T>
double SumOfSquares(const Tensor& x) {
  const T* data = x.data<T>();
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i)
    sum += static_cast<double>(data[i]) * static_cast<double>(data[i]);
  return sum;
}

void InferSquared(InferContext& c) {
  RequireFloating(c, "X");
  c.SetOutput("Out", {1}, c.Input("X").dtype);
}

void RunSquared(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    *c.Output("Out").mutable_data<T>() = static_cast<T>(SumOfSquares<T>(c.Input("X")));
  });
}

void InferClip(InferContext& c) {
  RequireFloating(c, "X");
  c.Require(c.Attr<float>("max_norm") > 0, "attribute max_norm is ", c.Attr<float>("max_norm"),
            ", expected a positive number");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype, c.Input("X").lod);
}

void RunClip(KernelContext& c) {
  const double limit = c.Attr<float>("max_norm");
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const double norm = std::sqrt(SumOfSquares<T>(c.Input("X")));
    const T scale = static_cast<T>(norm <= limit ? 1 : limit / norm);
    ApplyUnary<T, T>(c, [=](T v) { return v * scale; });
  });
}

REGISTER_LITE_OP(squared_l2_norm).Input("X").Output("Out").InferShape(InferSquared);
REGISTER_LITE_FUNCTION(squared_l2_norm, kHost, kAny, kNCHW, RunSquared, def);
REGISTER_LITE_OP(clip_by_norm)
    .Input("X")
    .Output("Out")
    .RequiredAttr<float>("max_norm")
    .InferShape(InferClip);
REGISTER_LITE_FUNCTION(clip_by_norm, kHost, kAny, kNCHW, RunClip, def);

}  // namespace
}  // namespace paddle::lite
