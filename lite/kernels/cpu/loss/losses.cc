#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/random/random.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// Losses that are exported as scores: one number for each pair of elements.
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

// Loss = Target * (log(Target) - X), none where Target is not positive; with log_target, which
// holds logarithms, exp(Target) * (Target - X).
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

// Out = -X at each label's class, weighted, of log-probabilities [N, C, ...] and labels [N, ...].
void InferNllLoss(InferContext& c) {
  RequireFloating(c, "X");
  RequireIndexType(c.Input("Label").dtype, "Label");
  const TensorMeta& x = c.Input("X");
  const DDim& label = c.Dims("Label");
  c.Require(x.dims.size() == 2 || x.dims.size() == 4, "input X has shape ", x.dims,
            ", expected [N, C] or [N, C, H, W]");
  DDim expected{x.dims[0]};
  for (int i = 2; i < x.dims.size(); ++i) expected.push_back(x.dims[i]);
  c.Require(label == expected, "input Label has shape ", label, ", expected ", expected,
            " for X of shape ", x.dims);
  RequireElements(c, "Weight", x.dims[1]);
  const auto& reduction = c.Attr<std::string>("reduction");
  c.Require(reduction == "none" || reduction == "mean" || reduction == "sum",
            "attribute reduction is '", reduction, "', expected none, mean or sum");
  c.SetOutput("Out", reduction == "none" ? expected : DDim{}, x.dtype);
  c.SetOutput("Total_weight", DDim{}, x.dtype);
}

template <typename T>
void RunNllLossAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const T *x = input.data<T>(), *weight = DataOrNull<T>(c, "Weight");
  const std::vector<int64_t> labels = IntValues(c, "Label");
  const int64_t classes = input.dims()[1], inner = input.dims().Count(2, input.dims().size());
  const int64_t ignored = c.Attr<int64_t>("ignore_index");
  const auto& reduction = c.Attr<std::string>("reduction");
  T* out = c.Output("Out").mutable_data<T>();
  double sum = 0, total = 0;
  for (size_t i = 0; i < labels.size(); ++i) {
    const int64_t label = labels[i], at = static_cast<int64_t>(i);
    double loss = 0, factor = 0;
    if (label != ignored) {
      if (label < 0 || label >= classes)
        throw LiteError(StrCat("input Label has ", label, " at element ", i,
                               ", expected a class in [0, ", classes, ") or ", ignored));
      factor = weight == nullptr ? 1 : static_cast<double>(weight[label]);
      loss = -factor * static_cast<double>(x[(at / inner * classes + label) * inner + at % inner]);
    }
    sum += loss, total += factor;
    if (reduction == "none") out[i] = static_cast<T>(loss);
  }
  if (reduction == "mean" && total != 0) sum /= total;
  if (reduction == "none") total = 0;  // as Paddle has it
  if (reduction != "none") out[0] = static_cast<T>(sum);
  if (T* to = OutputOrNull<T>(c, "Total_weight")) *to = static_cast<T>(total);
}

void RunNllLoss(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunNllLossAs<double>(c);
  RunNllLossAs<float>(c);
}

REGISTER_LITE_OP(nll_loss)
    .Input("X")
    .Input("Label")
    .OptionalInput("Weight")
    .Output("Out")
    .OptionalOutput("Total_weight")
    .Attr<int64_t>("ignore_index", -100)
    .Attr<std::string>("reduction", "mean")
    .InferShape(InferNllLoss);
REGISTER_LITE_FUNCTION(nll_loss, kHost, kAny, kNCHW, RunNllLoss, def);

// Out[n] = the sum over row n of a square of (X - Y) * InsideWeight that turns linear beyond
// 1 / sigma^2, times OutsideWeight. Diff is what is squared.
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

// The sum (reduction 0), the mean (1) or X itself (2).
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
