// The p-norm of X - Y, a tensor of rank 0; `p` 0 counts what differs.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferDist(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64});
  RequireType(c, "Y", {x.dtype});
  c.Require(!std::isnan(c.Attr<float>("p")), "attribute p is not a number");
  c.Require(BroadcastDims(x.dims, c.Dims("Y"), -1).production() > 0, "X of shape ", x.dims,
            " and Y of shape ", c.Dims("Y"), " have no elements to compare");
  c.SetOutput("Out", {}, x.dtype);
}

template <typename T>
void RunDistAs(KernelContext& c) {
  const DDim dims = BroadcastDims(c.Input("X").dims(), c.Input("Y").dims(), -1);
  const Tensor x = Repeated(c.Input("X"), dims, c.threads());
  const Tensor y = Repeated(c.Input("Y"), dims, c.threads());
  const T *xs = x.data<T>(), *ys = y.data<T>();
  const double p = c.Attr<float>("p");
  double result = p < 0 && std::isinf(p) ? std::numeric_limits<double>::infinity() : 0;
  for (int64_t i = 0; i < dims.production(); ++i) {
    const double v = std::fabs(static_cast<double>(xs[i]) - static_cast<double>(ys[i]));
    if (std::isnan(v)) {
      result = v;
      break;
    }
    if (std::isinf(p))
      result = p > 0 ? std::max(result, v) : std::min(result, v);
    else
      result += p == 0 ? v != 0 : std::pow(v, p);
  }
  if (!std::isinf(p) && p != 0) result = std::pow(result, 1 / p);
  *c.Output("Out").mutable_data<T>() = static_cast<T>(result);
}

void RunDist(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunDistAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(dist).Input("X").Input("Y").Output("Out").Attr<float>("p", 2.0f).InferShape(
    InferDist);
REGISTER_LITE_FUNCTION(dist, kHost, kAny, kNCHW, RunDist, def);

}  // namespace
}  // namespace paddle::lite
