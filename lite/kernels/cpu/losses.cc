// Losses that are exported as scores: one number for each pair of elements.
#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferPair(InferContext& c, const char* x_slot, const char* y_slot, const char* out) {
  RequireFloating(c, x_slot);
  const TensorMeta &x = c.Input(x_slot), &y = c.Input(y_slot);
  c.Require(x.dims == y.dims, "inputs ", x_slot, " of shape ", x.dims, " and ", y_slot,
            " of shape ", y.dims, ", expected equal shapes");
  if (x.dtype != y.dtype)
    throw DataTypeError(
        StrCat("input ", y_slot, " is ", Name(y.dtype), ", but ", x_slot, " is ", Name(x.dtype)));
  c.SetOutput(out, x.dims, x.dtype, x.lod);
}

template <typename T, typename Fn>
void MapPair(KernelContext& c, const char* x_slot, const char* y_slot, const char* out, Fn fn) {
  const Tensor& first = c.Input(x_slot);
  const T *x = first.data<T>(), *y = c.Input(y_slot).data<T>();
  T* to = c.Output(out).mutable_data<T>();
  math::ParallelRange(c.threads(), first.numel(), math::kElementGrain / 8,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) to[i] = fn(x[i], y[i]);
                      });
}

// out = fn(x, y) in the inputs' type.
template <typename Fn>
void RunPair(KernelContext& c, const char* x_slot, const char* y_slot, const char* out, Fn fn) {
  if (c.Input(x_slot).dtype() == DataType::kFP64)
    return MapPair<double>(c, x_slot, y_slot, out, fn);
  MapPair<float>(c, x_slot, y_slot, out, fn);
}

// -- bce_loss: the cross entropy of a probability X and a label; logarithms end at -100.

void InferBce(InferContext& c) { InferPair(c, "X", "Label", "Out"); }

void RunBce(KernelContext& c) {
  RunPair(c, "X", "Label", "Out", [](auto x, auto label) {
    using T = decltype(x);
    if (!(x >= 0 && x <= 1))
      throw LiteError(StrCat("input X holds ", x, ", expected probabilities in [0, 1]"));
    return (label - 1) * std::max(std::log1p(-x), T{-100}) - label * std::max(std::log(x), T{-100});
  });
}

REGISTER_LITE_OP(bce_loss).Input("X").Input("Label").Output("Out").InferShape(InferBce);
REGISTER_LITE_FUNCTION(bce_loss, kHost, kAny, kNCHW, RunBce, def);

// -- log_loss: the same, smoothed by epsilon.

void InferLogLoss(InferContext& c) { InferPair(c, "Predicted", "Labels", "Loss"); }

void RunLogLoss(KernelContext& c) {
  const float epsilon = c.Attr<float>("epsilon");
  RunPair(c, "Predicted", "Labels", "Loss", [epsilon](auto p, auto label) {
    const auto e = static_cast<decltype(p)>(epsilon);
    return -label * std::log(p + e) - (1 - label) * std::log(1 - p + e);
  });
}

REGISTER_LITE_OP(log_loss)
    .Input("Predicted")
    .Input("Labels")
    .Output("Loss")
    .Attr<float>("epsilon", 1e-4f)
    .InferShape(InferLogLoss);
REGISTER_LITE_FUNCTION(log_loss, kHost, kAny, kNCHW, RunLogLoss, def);

// -- hinge_loss of a label that is 0 or 1.

void InferHinge(InferContext& c) { InferPair(c, "Logits", "Labels", "Loss"); }

void RunHinge(KernelContext& c) {
  RunPair(c, "Logits", "Labels", "Loss",
          [](auto x, auto label) { return std::max(decltype(x){0}, 1 - x * (2 * label - 1)); });
}

REGISTER_LITE_OP(hinge_loss).Input("Logits").Input("Labels").Output("Loss").InferShape(InferHinge);
REGISTER_LITE_FUNCTION(hinge_loss, kHost, kAny, kNCHW, RunHinge, def);

// -- huber_loss: half the square of the residual Y - X, linear beyond delta.

void InferHuber(InferContext& c) {
  InferPair(c, "X", "Y", "Out");
  c.SetOutput("Residual", c.Dims("X"), c.Input("X").dtype);
}

void RunHuber(KernelContext& c) {
  if (c.HasOutput("Residual"))
    RunPair(c, "X", "Y", "Residual", [](auto x, auto y) { return y - x; });
  const float delta = c.Attr<float>("delta");
  RunPair(c, "X", "Y", "Out", [delta](auto x, auto y) {
    using T = decltype(x);
    const T size = std::abs(y - x), limit = static_cast<T>(delta);
    return size <= limit ? size * size / 2 : limit * (size - limit / 2);
  });
}

REGISTER_LITE_OP(huber_loss)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .OptionalOutput("Residual")
    .Attr<float>("delta", 1.0f)
    .InferShape(InferHuber);
REGISTER_LITE_FUNCTION(huber_loss, kHost, kAny, kNCHW, RunHuber, def);

}  // namespace
}  // namespace paddle::lite
