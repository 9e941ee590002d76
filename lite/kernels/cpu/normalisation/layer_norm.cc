#include "lite/kernels/cpu/math/layer_norm.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/normalisation/fused_norm.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

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

// rms_norm of x + bias + residual, as older programs have it and as Paddle 3's with the dims that
// are normalised in `normalized_shape`; fast_rms_norm of the last axis.
int FirstAxis(const InferContext& c) {
  const auto& shape = c.Attr<std::vector<int64_t>>("normalized_shape");
  if (shape.empty()) return BeginNormAxis(c);
  const DDim& x = c.Dims("x");
  const int begin = x.size() - static_cast<int>(std::min<size_t>(shape.size(), DDim::kMaxRank));
  c.Require(begin >= 0 && std::equal(x.begin() + begin, x.end(), shape.begin(), shape.end()),
            "attribute normalized_shape does not hold the last dimensions of x, which has shape ",
            x);
  return begin;
}

void InferRmsNorm(InferContext& c) {
  const DDim& x = c.Dims("x");
  const int begin = FirstAxis(c);
  RequireNormInputs(c, x.Count(begin, x.size()));
  RequireNoQuantizing(c);
  c.SetOutput("out", x, DataType::kFP32, c.Input("x").lod);
  c.SetOutput("residual_out", x, DataType::kFP32);
  c.SetOutput("inv_var", DDim(x.begin(), static_cast<size_t>(begin)), DataType::kFP32);
}

void RunRmsNorm(KernelContext& c) {
  const DDim& dims = c.Input("x").dims();
  const auto shape = static_cast<int>(c.Attr<std::vector<int64_t>>("normalized_shape").size());
  const int given = c.Attr<int32_t>("begin_norm_axis");
  const int begin = shape > 0 ? dims.size() - shape : given == -1 ? dims.size() - 1 : given;
  const int64_t rows = dims.Count(0, begin), cols = dims.Count(begin, dims.size());
  std::vector<float> room;
  const float* x = AddBiasAndResidual(c, cols, 1, &room);
  if (float* sum = OutputOrNull<float>(c, "residual_out")) std::copy(x, x + rows * cols, sum);
  RmsNorm(rows, cols, x, DataOrNull<float>(c, "norm_weight"), DataOrNull<float>(c, "norm_bias"),
          c.Attr<float>("epsilon"), c.Output("out").mutable_data<float>(),
          OutputOrNull<float>(c, "inv_var"), c.threads());
}

REGISTER_LITE_OP(rms_norm)
    .Input("x")
    .OptionalInput("bias")
    .OptionalInput("residual")
    .OptionalInput("norm_weight")
    .OptionalInput("norm_bias")
    .Output("out")
    .OptionalOutput("residual_out")
    .OptionalOutput("inv_var")
    .Attr<float>("epsilon", 1e-5f)
    .Attr<int32_t>("begin_norm_axis", -1)
    .Attr<std::vector<int64_t>>("normalized_shape", {})
    .Attr<float>("quant_scale", -1.0f)
    .InferShape(InferRmsNorm);
REGISTER_LITE_FUNCTION(rms_norm, kHost, kFloat, kNCHW, RunRmsNorm, def);

void InferFastRmsNorm(InferContext& c) {
  RequireFloating(c, "x");
  const TensorMeta &x = c.Input("x"), &scale = c.Input("scale");
  c.Require(!x.dims.empty() && scale.dims.production() == x.dims.back(), "inputs x and scale have ",
            "shapes ", x.dims, " and ", scale.dims, ", expected a scale for each of the last axis");
  for (const DataType dtype : {x.dtype, scale.dtype})
    if (dtype != DataType::kFP32)
      throw DataTypeError(StrCat("an input is ", Name(dtype), ", expected float32"));
  RequireEpsilon(c);
  c.SetOutput("y", x.dims, x.dtype, x.lod);
  c.SetOutput("invvar", DDim(x.dims.begin(), static_cast<size_t>(x.dims.size() - 1)), x.dtype);
}

void RunFastRmsNorm(KernelContext& c) {
  const DDim& x = c.Input("x").dims();
  RmsNorm(x.Count(0, x.size() - 1), x.back(), c.Input("x").data<float>(),
          c.Input("scale").data<float>(), nullptr, c.Attr<float>("epsilon"),
          c.Output("y").mutable_data<float>(), OutputOrNull<float>(c, "invvar"), c.threads());
}

REGISTER_LITE_OP(fast_rms_norm)
    .Input("x")
    .Input("scale")
    .Output("y")
    .OptionalOutput("invvar")
    .Attr<float>("epsilon", 1e-5f)
    .InferShape(InferFastRmsNorm);
REGISTER_LITE_FUNCTION(fast_rms_norm, kHost, kFloat, kNCHW, RunFastRmsNorm, def);

void InferInstanceNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  const Images images = ImagesOf(x.dims, DataLayoutType::kNCHW, "NCHW", 2);
  RequireElements(c, "Scale", images.c);
  RequireElements(c, "Bias", images.c);
  const DDim instances{DDim{images.n, images.c}.production()};
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  c.SetOutput("SavedMean", instances, x.dtype);
  c.SetOutput("SavedVariance", instances, x.dtype);
}

void RunInstanceNorm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Images images = ImagesOf(x.dims(), x.layout(), "NCHW", 2);
  RunGroupNorm(c, images, images.c, "SavedMean", "SavedVariance", true);
}

REGISTER_LITE_OP(instance_norm)
    .Input("X")
    .OptionalInput("Scale")
    .OptionalInput("Bias")
    .Output("Y")
    .OptionalOutput("SavedMean")
    .OptionalOutput("SavedVariance")
    .Attr<float>("epsilon", 1e-5f)
    .InferShape(InferInstanceNorm);
REGISTER_LITE_FUNCTION(instance_norm, kHost, kAny, kNCHW, RunInstanceNorm, def);
REGISTER_LITE_FUNCTION(instance_norm, kHost, kFloat, kNHWC, RunInstanceNorm, def);

}  // namespace
}  // namespace paddle::lite
