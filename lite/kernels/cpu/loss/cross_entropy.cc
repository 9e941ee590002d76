#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/indexing/gather.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// cross_entropy and cross_entropy2 of probabilities X [..., classes]: -log of the probability that
// the label names, or with soft_label the sum over all classes. 0 where a label is ignore_index.
constexpr double kLargest = 1e20;  // in place of what is not finite, as in Paddle

bool IsSoft(const OpLite& op) {
  return op.type() == "cross_entropy" && op.Attr<bool>("soft_label");
}

void InferCrossEntropy(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta &x = c.Input("X"), &label = c.Input("Label");
  c.Require(!x.dims.empty() && x.dims.back() > 0, "input X has shape ", x.dims,
            ", expected [..., classes]");
  DDim rows = x.dims, out = x.dims;
  rows.pop_back();
  out[out.size() - 1] = 1;
  if (IsSoft(c.op())) {
    c.Require(label.dims == x.dims, "input Label has shape ", label.dims, ", expected ", x.dims,
              " with soft_label");
    RequireType(c, "Label", {x.dtype});
  } else {
    RequireType(c, "Label", {DataType::kInt32, DataType::kInt64});
    if (label.dims == rows && c.op().type() == "cross_entropy") out = rows;
    c.Require(label.dims == rows || label.dims == out, "input Label has shape ", label.dims,
              ", expected ", rows, " or ", out);
  }
  c.SetOutput("Y", out, x.dtype, x.lod);
  if (c.op().type() == "cross_entropy") return;
  DDim shape{0};
  for (const int64_t dim : x.dims) shape.push_back(dim);
  c.SetOutput("XShape", shape, x.dtype);
  c.SetOutput("MatchX", out, x.dtype);
}

template <typename T>
T NegativeLog(T x) {
  const T value = -std::log(x);
  return std::isfinite(value) ? value : static_cast<T>(value < 0 ? -kLargest : kLargest);
}

template <typename T>
void RunSoft(KernelContext& c, int64_t rows, int64_t classes) {
  const T *x = c.Input("X").data<T>(), *label = c.Input("Label").data<T>();
  T* y = c.Output("Y").mutable_data<T>();
  for (int64_t i = 0; i < rows; ++i, x += classes, label += classes) {
    y[i] = 0;
    for (int64_t k = 0; k < classes; ++k) y[i] += label[k] * NegativeLog(x[k]);
  }
}

template <typename T>
void RunHard(KernelContext& c, int64_t rows, int64_t classes) {
  const T* x = c.Input("X").data<T>();
  T* y = c.Output("Y").mutable_data<T>();
  T* matched = c.op().type() == "cross_entropy" ? nullptr : OutputOrNull<T>(c, "MatchX");
  const std::vector<int64_t> labels = IntValues(c, "Label");
  const int64_t ignored = c.Attr<int32_t>("ignore_index");
  for (int64_t i = 0; i < rows; ++i, x += classes) {
    const int64_t label = labels[static_cast<size_t>(i)];
    const bool skipped = label == ignored;
    if (!skipped && (label < 0 || label >= classes))
      throw ShapeError(StrCat("element ", i, " of Label is ", label, ", expected 0 to ",
                              classes - 1, " or ignore_index ", ignored));
    y[i] = skipped ? 0 : NegativeLog(x[label]);
    if (matched != nullptr) matched[i] = skipped ? 1 : x[label];
  }
}

void RunCrossEntropy(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t rows = dims.Count(0, dims.size() - 1), classes = dims.back();
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    if (IsSoft(c.op()))
      RunSoft<T>(c, rows, classes);
    else
      RunHard<T>(c, rows, classes);
  });
}

REGISTER_LITE_OP(cross_entropy)
    .Input("X")
    .Input("Label")
    .Output("Y")
    .Attr<bool>("soft_label", false)
    .Attr<int32_t>("ignore_index", -100)
    .InferShape(InferCrossEntropy);
REGISTER_LITE_FUNCTION(cross_entropy, kHost, kAny, kNCHW, RunCrossEntropy, def);

REGISTER_LITE_OP(cross_entropy2)
    .Input("X")
    .Input("Label")
    .Output("Y")
    .OptionalOutput("XShape")
    .OptionalOutput("MatchX")
    .Attr<int32_t>("ignore_index", -100)
    .InferShape(InferCrossEntropy);
REGISTER_LITE_FUNCTION(cross_entropy2, kHost, kAny, kNCHW, RunCrossEntropy, def);

// Softmax along `axis` and its cross entropy with Label: a class where Label has 1 there, or a
// distribution (soft_label). Without use_softmax the Logits are probabilities already.
void InferSoftmaxWithCrossEntropy(InferContext& c) {
  RequireFloating(c, "Logits");
  const TensorMeta &x = c.Input("Logits"), &label = c.Input("Label");
  c.Require(!x.dims.empty(), "input Logits is 0-D, expected at least one dimension");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "attribute axis");
  DDim loss = x.dims;
  loss[axis] = 1;
  DDim without_axis(x.dims.begin(), static_cast<size_t>(axis));
  for (int i = axis + 1; i < x.dims.size(); ++i) without_axis.push_back(x.dims[i]);
  if (c.Attr<bool>("soft_label")) {
    c.Require(label.dims == x.dims, "input Label has shape ", label.dims, ", expected ", x.dims,
              " like Logits with soft_label");
    if (label.dtype != x.dtype)
      throw DataTypeError(
          StrCat("input Label is ", Name(label.dtype), ", expected ", Name(x.dtype)));
  } else {
    c.Require(label.dims == loss || label.dims == without_axis, "input Label has shape ",
              label.dims, ", expected ", loss, " for Logits of shape ", x.dims);
    RequireIndexType(label.dtype, "Label");
  }
  c.SetOutput("Softmax", x.dims, x.dtype, x.lod);
  c.SetOutput("Loss", loss, x.dtype, x.lod);
}

// Logits as [outer, classes, inner], and where one slice of them begins.
struct LossSlices {
  int64_t outer, classes, inner;
  int64_t At(int64_t slice) const { return slice / inner * classes * inner + slice % inner; }
};

// -log(softmax) of every element, or -log of the probabilities where they are given.
template <typename T>
class Losses {
 public:
  Losses(const T* x, const LossSlices& slices, bool use_softmax)
      : x_(x), slices_(slices), use_softmax_(use_softmax) {}

  void Begin(int64_t slice) {
    at_ = slices_.At(slice);
    if (!use_softmax_) return;
    max_ = -std::numeric_limits<double>::infinity();
    double sum = 0;
    for (int64_t k = 0; k < slices_.classes; ++k) max_ = std::max(max_, Value(k));
    for (int64_t k = 0; k < slices_.classes; ++k) sum += std::exp(Value(k) - max_);
    log_sum_ = std::log(sum);
  }
  double Of(int64_t k) const {
    return use_softmax_ ? log_sum_ - (Value(k) - max_) : -std::log(Value(k));
  }
  double Probability(int64_t k) const { return use_softmax_ ? std::exp(-Of(k)) : Value(k); }
  int64_t Place(int64_t k) const { return at_ + k * slices_.inner; }

 private:
  double Value(int64_t k) const { return static_cast<double>(x_[Place(k)]); }

  const T* x_;
  const LossSlices& slices_;
  bool use_softmax_;
  int64_t at_ = 0;
  double max_ = 0, log_sum_ = 0;
};

template <typename T>
void RunSoftmaxWithCrossEntropyAs(KernelContext& c) {
  const Tensor& logits = c.Input("Logits");
  const DDim& dims = logits.dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), dims.size(), "attribute axis");
  const LossSlices s{dims.Count(0, axis), dims[axis], dims.Count(axis + 1, dims.size())};
  Losses<T> losses(logits.data<T>(), s, c.Attr<bool>("use_softmax"));
  const bool soft = c.Attr<bool>("soft_label");
  const int64_t ignored = c.Attr<int32_t>("ignore_index");
  const T* weights = soft ? c.Input("Label").data<T>() : nullptr;
  const std::vector<int64_t> labels = soft ? std::vector<int64_t>{} : IntValues(c, "Label");
  T* out = c.Output("Loss").mutable_data<T>();
  T* softmax = OutputOrNull<T>(c, "Softmax");
  for (int64_t i = 0; i < s.outer * s.inner; ++i) {
    losses.Begin(i);
    double loss = 0;
    if (soft) {
      for (int64_t k = 0; k < s.classes; ++k) {
        const auto weight = static_cast<double>(weights[losses.Place(k)]);
        if (weight != 0) loss += weight * losses.Of(k);
      }
    } else if (const int64_t label = labels[static_cast<size_t>(i)]; label != ignored) {
      if (label < 0 || label >= s.classes)
        throw LiteError(StrCat("input Label has ", label, " at element ", i,
                               ", expected a class in [0, ", s.classes, ") or ", ignored));
      loss = losses.Of(label);
    }
    out[i] = static_cast<T>(loss);
    if (softmax == nullptr) continue;
    for (int64_t k = 0; k < s.classes; ++k)
      softmax[losses.Place(k)] = static_cast<T>(losses.Probability(k));
  }
}

void RunSoftmaxWithCrossEntropy(KernelContext& c) {
  if (c.Input("Logits").dtype() == DataType::kFP64) return RunSoftmaxWithCrossEntropyAs<double>(c);
  RunSoftmaxWithCrossEntropyAs<float>(c);
}

REGISTER_LITE_OP(softmax_with_cross_entropy)
    .Input("Logits")
    .Input("Label")
    .OptionalOutput("Softmax")
    .Output("Loss")
    .Attr<bool>("soft_label", false)
    .Attr<bool>("use_softmax", true)
    .Attr<int32_t>("ignore_index", -100)
    .Attr<int32_t>("axis", -1)
    .InferShape(InferSoftmaxWithCrossEntropy);
REGISTER_LITE_FUNCTION(softmax_with_cross_entropy, kHost, kAny, kNCHW, RunSoftmaxWithCrossEntropy,
                       def);

// Out = the cross entropy of sigmoid(X) and Label, 0 where Label is ignore_index. pos_weight weighs
// the logarithm of each element, as in Paddle 3; Paddle 2 weighs only a part of it.
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

// Out = (1 - epsilon) * X + epsilon * PriorDist, which is uniform where it is absent.
void InferLabelSmooth(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta& x = c.Input("X");
  c.Require(!x.dims.empty(), "input X is 0-D, expected at least one dimension");
  RequireElements(c, "PriorDist", x.dims.back());
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunLabelSmoothAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const T *x = input.data<T>(), *prior = DataOrNull<T>(c, "PriorDist");
  T* out = c.Output("Out").mutable_data<T>();
  const T epsilon = static_cast<T>(c.Attr<float>("epsilon"));
  const int64_t classes = input.dims().back();
  const T even = T{1} / static_cast<T>(classes), rest = 1 - epsilon;
  for (int64_t row = 0; classes > 0 && row < input.numel() / classes; ++row)
    for (int64_t i = 0; i < classes; ++i)
      *out++ = rest * *x++ + epsilon * (prior == nullptr ? even : prior[i]);
}

void RunLabelSmooth(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64) return RunLabelSmoothAs<double>(c);
  RunLabelSmoothAs<float>(c);
}

REGISTER_LITE_OP(label_smooth)
    .Input("X")
    .OptionalInput("PriorDist")
    .Output("Out")
    .Attr<float>("epsilon", 0.0f)
    .InferShape(InferLabelSmooth);
REGISTER_LITE_FUNCTION(label_smooth, kHost, kAny, kNCHW, RunLabelSmooth, def);

}  // namespace
}  // namespace paddle::lite
