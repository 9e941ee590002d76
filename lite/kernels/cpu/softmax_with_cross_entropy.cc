// Softmax along `axis` and its cross entropy with Label: a class where Label has 1 there, or a
// distribution (soft_label). Without use_softmax the Logits are probabilities already.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/gather.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
