// Out = -X at each label's class, weighted, of log-probabilities [N, C, ...] and labels [N, ...].
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/gather.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
