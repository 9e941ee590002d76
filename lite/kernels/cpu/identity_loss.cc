// The sum (reduction 0), the mean (1) or X itself (2).
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

constexpr int32_t kSum = 0, kMean = 1, kNone = 2;

void InferIdentityLoss(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta& x = c.Input("X");
  const int32_t reduction = c.Attr<int32_t>("reduction");
  c.Require(reduction >= kSum && reduction <= kNone, "attribute reduction is ", reduction,
            ", expected 0 (sum), 1 (mean) or 2 (none)");
  if (reduction == kNone) return c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Out", DDim{}, x.dtype);
}

void RunIdentityLoss(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int32_t reduction = c.Attr<int32_t>("reduction");
  if (reduction == kNone) return CopyElements(x, c.Output("Out"));
  ForTypes<float, double>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    double sum = 0;
    for (int64_t i = 0; i < x.numel(); ++i) sum += static_cast<double>(from[i]);
    if (reduction == kMean) sum /= static_cast<double>(x.numel());
    *c.Output("Out").mutable_data<T>() = static_cast<T>(sum);
  });
}

REGISTER_LITE_OP(identity_loss)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("reduction", kMean)
    .InferShape(InferIdentityLoss);
REGISTER_LITE_FUNCTION(identity_loss, kHost, kAny, kNCHW, RunIdentityLoss, def);

}  // namespace
}  // namespace paddle::lite
