// Out[n] = the sum over row n of a square of (X - Y) * InsideWeight that turns linear beyond
// 1 / sigma^2, times OutsideWeight. Diff is what is squared.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

void InferSmoothL1Loss(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "input X has shape ", x.dims, ", expected at least rank 2");
  c.Require(c.Dims("Y") == x.dims, "input Y has shape ", c.Dims("Y"), ", expected ", x.dims,
            " like X");
  for (const char* slot : {"Y", "InsideWeight", "OutsideWeight"})
    RequireElements(c, slot, x.dims.production());
  c.Require(c.HasInput("InsideWeight") == c.HasInput("OutsideWeight"),
            "one of the inputs InsideWeight and OutsideWeight is absent, expected both or none");
  FiniteAttr(c, "sigma");
  c.SetOutput("Diff", x.dims, x.dtype);
  c.SetOutput("Out", DDim{x.dims[0], 1}, x.dtype);
}

template <typename T>
void RunSmoothL1LossAs(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t cols = dims.Count(1, dims.size());
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  const T *inside = DataOrNull<T>(c, "InsideWeight"), *outside = DataOrNull<T>(c, "OutsideWeight");
  T *out = c.Output("Out").mutable_data<T>(), *diffs = OutputOrNull<T>(c, "Diff");
  const T sigma = static_cast<T>(c.Attr<float>("sigma")), square = sigma * sigma;
  for (int64_t row = 0; row < dims[0]; ++row) {
    out[row] = 0;
    for (int64_t i = row * cols; i < (row + 1) * cols; ++i) {
      const T diff = (x[i] - y[i]) * (inside == nullptr ? 1 : inside[i]), size = std::abs(diff);
      const T loss = size * square < 1 ? diff * diff * square / 2 : size - T(0.5) / square;
      out[row] += loss * (outside == nullptr ? 1 : outside[i]);
      if (diffs != nullptr) diffs[i] = diff;
    }
  }
}

void RunSmoothL1Loss(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunSmoothL1LossAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(smooth_l1_loss)
    .Input("X")
    .Input("Y")
    .OptionalInput("InsideWeight")
    .OptionalInput("OutsideWeight")
    .OptionalOutput("Diff")
    .Output("Out")
    .Attr<float>("sigma", 1.0f)
    .InferShape(InferSmoothL1Loss);
REGISTER_LITE_FUNCTION(smooth_l1_loss, kHost, kAny, kNCHW, RunSmoothL1Loss, def);

}  // namespace
}  // namespace paddle::lite
