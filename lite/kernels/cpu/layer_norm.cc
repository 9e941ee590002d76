#include "lite/kernels/cpu/math/layer_norm.h"

#include <cmath>

#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferLayerNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  const int begin = c.Attr<int>("begin_norm_axis");
  c.Require(begin > 0 && begin < x.dims.size(), "attribute begin_norm_axis is ", begin,
            ", expected a value in (0, ", x.dims.size(), ") for X of shape ", x.dims);
  RequireEpsilon(c);
  const int64_t cols = x.dims.Count(begin, x.dims.size());
  RequireElements(c, "Scale", cols);
  RequireElements(c, "Bias", cols);
  const DDim rows(x.dims.begin(), static_cast<size_t>(begin));
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  c.SetOutput("Mean", rows, x.dtype);
  c.SetOutput("Variance", rows, x.dtype);
}

// The definition, in double precision.
void RunDouble(KernelContext& c, int64_t rows, int64_t cols) {
  const auto* x = c.Input("X").data<double>();
  auto* y = c.Output("Y").mutable_data<double>();
  const auto* scale = DataOrNull<double>(c, "Scale");
  const auto* bias = DataOrNull<double>(c, "Bias");
  auto* means = OutputOrNull<double>(c, "Mean");
  auto* variances = OutputOrNull<double>(c, "Variance");
  const double epsilon = c.Attr<float>("epsilon");
  for (int64_t r = 0; r < rows; ++r, x += cols, y += cols) {
    double mean = 0, variance = 0;
    for (int64_t j = 0; j < cols; ++j) mean += x[j] / static_cast<double>(cols);
    for (int64_t j = 0; j < cols; ++j)
      variance += (x[j] - mean) * (x[j] - mean) / static_cast<double>(cols);
    for (int64_t j = 0; j < cols; ++j)
      y[j] = (x[j] - mean) / std::sqrt(variance + epsilon) * (scale ? scale[j] : 1) +
             (bias ? bias[j] : 0);
    if (means != nullptr) means[r] = mean;
    if (variances != nullptr) variances[r] = variance;
  }
}

void RunLayerNorm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int begin = c.Attr<int>("begin_norm_axis");
  const int64_t rows = x.dims().Count(0, begin), cols = x.dims().Count(begin, x.dims().size());
  if (x.dtype() == DataType::kFP64) return RunDouble(c, rows, cols);
  math::LayerNorm(rows, cols, x.data<float>(), DataOrNull<float>(c, "Scale"),
                  DataOrNull<float>(c, "Bias"), c.Attr<float>("epsilon"),
                  c.Output("Y").mutable_data<float>(), OutputOrNull<float>(c, "Mean"),
                  OutputOrNull<float>(c, "Variance"), c.threads());
}

REGISTER_LITE_OP(layer_norm)
    .Input("X")
    .OptionalInput("Scale")
    .OptionalInput("Bias")
    .Output("Y")
    .OptionalOutput("Mean")
    .OptionalOutput("Variance")
    .Attr<float>("epsilon", 1e-5f)
    .Attr<int>("begin_norm_axis", 1)
    .InferShape(InferLayerNorm);
REGISTER_LITE_FUNCTION(layer_norm, kHost, kAny, kNCHW, RunLayerNorm, def);

}  // namespace
}  // namespace paddle::lite
