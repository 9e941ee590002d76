// Out = the cross entropy of sigmoid(X) and Label, 0 where Label is ignore_index. pos_weight weighs
// the logarithm of each element, as in Paddle 3; Paddle 2 weighs only a part of it.
#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferSigmoidCrossEntropyWithLogits(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta &x = c.Input("X"), &label = c.Input("Label");
  c.Require(x.dims == label.dims, "inputs X of shape ", x.dims, " and Label of shape ", label.dims,
            ", expected equal shapes");
  if (x.dtype != label.dtype)
    throw DataTypeError(StrCat("input Label is ", Name(label.dtype), ", but X is ", Name(x.dtype)));
  if (c.HasInput("pos_weight")) {
    const TensorMeta& weight = c.Input("pos_weight");
    c.Require(weight.dims == x.dims, "input pos_weight has shape ", weight.dims, ", expected ",
              x.dims, " like X");
    if (weight.dtype != x.dtype)
      throw DataTypeError(
          StrCat("input pos_weight is ", Name(weight.dtype), ", but X is ", Name(x.dtype)));
  }
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunSigmoidCrossEntropyWithLogitsAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const T *x = input.data<T>(), *label = c.Input("Label").data<T>();
  const T* weights = DataOrNull<T>(c, "pos_weight");
  T* out = c.Output("Out").mutable_data<T>();
  const T ignored = static_cast<T>(c.Attr<int32_t>("ignore_index"));
  int64_t counted = 0;
  for (int64_t i = 0; i < input.numel(); ++i) {
    if (std::abs(label[i] - ignored) < static_cast<T>(1e-6)) {
      out[i] = 0;
      continue;
    }
    // log(1 + exp(-x)) without overflow, for the positive label's share.
    const T softplus = std::max(-x[i], T{0}) + std::log1p(std::exp(-std::abs(x[i])));
    out[i] = (1 - label[i]) * x[i] + softplus * (weights == nullptr ? 1 : weights[i]);
    ++counted;
  }
  if (!c.Attr<bool>("normalize") || counted == 0) return;
  for (int64_t i = 0; i < input.numel(); ++i) out[i] /= static_cast<T>(counted);
}

void RunSigmoidCrossEntropyWithLogits(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunSigmoidCrossEntropyWithLogitsAs<double>(c);
  RunSigmoidCrossEntropyWithLogitsAs<float>(c);
}

REGISTER_LITE_OP(sigmoid_cross_entropy_with_logits)
    .Input("X")
    .Input("Label")
    .OptionalInput("pos_weight")
    .Output("Out")
    .Attr<bool>("normalize", false)
    .Attr<int32_t>("ignore_index", -100)
    .InferShape(InferSigmoidCrossEntropyWithLogits);
REGISTER_LITE_FUNCTION(sigmoid_cross_entropy_with_logits, kHost, kAny, kNCHW,
                       RunSigmoidCrossEntropyWithLogits, def);

}  // namespace
}  // namespace paddle::lite
