// cross_entropy and cross_entropy2 of probabilities X [..., classes]: -log of the probability that
// the label names, or with soft_label the sum over all classes. 0 where a label is ignore_index.
#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
