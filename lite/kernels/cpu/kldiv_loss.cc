// Loss = Target * (log(Target) - X), none where Target is not positive; with log_target, which
// holds logarithms, exp(Target) * (Target - X).
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferKldivLoss(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta &x = c.Input("X"), &target = c.Input("Target");
  c.Require(x.dims == target.dims, "inputs X of shape ", x.dims, " and Target of shape ",
            target.dims, ", expected equal shapes");
  if (x.dtype != target.dtype)
    throw DataTypeError(
        StrCat("input Target is ", Name(target.dtype), ", but X is ", Name(x.dtype)));
  const auto& reduction = c.Attr<std::string>("reduction");
  c.Require(
      reduction == "none" || reduction == "mean" || reduction == "sum" || reduction == "batchmean",
      "attribute reduction is '", reduction, "', expected none, mean, sum or batchmean");
  c.SetOutput("Loss", reduction == "none" ? x.dims : DDim{}, x.dtype);
}

template <typename T>
void RunKldivLossAs(KernelContext& c) {
  const Tensor& first = c.Input("X");
  const T *x = first.data<T>(), *target = c.Input("Target").data<T>();
  T* out = c.Output("Loss").mutable_data<T>();
  const bool log_target = c.Attr<bool>("log_target");
  const auto loss = [&](int64_t i) {
    if (log_target) return std::exp(target[i]) * (target[i] - x[i]);
    return target[i] <= 0 ? T{0} : target[i] * (std::log(target[i]) - x[i]);
  };
  const auto& reduction = c.Attr<std::string>("reduction");
  const int64_t count = first.numel();
  if (reduction == "none") {
    for (int64_t i = 0; i < count; ++i) out[i] = loss(i);
    return;
  }
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += static_cast<double>(loss(i));
  if (reduction == "mean") sum /= static_cast<double>(count);
  if (reduction == "batchmean" && !first.dims().empty())
    sum /= static_cast<double>(first.dims()[0]);
  out[0] = static_cast<T>(sum);
}

void RunKldivLoss(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunKldivLossAs<double>(c);
  RunKldivLossAs<float>(c);
}

REGISTER_LITE_OP(kldiv_loss)
    .Input("X")
    .Input("Target")
    .Output("Loss")
    .Attr<std::string>("reduction", "mean")
    .Attr<bool>("log_target", false)
    .InferShape(InferKldivLoss);
REGISTER_LITE_FUNCTION(kldiv_loss, kHost, kAny, kNCHW, RunKldivLoss, def);

}  // namespace
}  // namespace paddle::lite
