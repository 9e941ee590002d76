#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/math/layer_norm.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/normalisation/fused_norm.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

// fused_bias_residual_layernorm: layer_norm of x + bias + residual_alpha * residual, the sum alone
// without weights; fast_ln, that of the last axis; skip_layernorm, that of X + Y.
void InferFusedLayerNorm(InferContext& c) {
  const DDim& x = c.Dims("x");
  const int begin = BeginNormAxis(c);
  RequireNormInputs(c, x.Count(begin, x.size()));
  RequireNoQuantizing(c);
  const float alpha = c.Attr<float>("residual_alpha");
  c.Require(std::isfinite(alpha), "attribute residual_alpha is ", alpha,
            ", expected a finite number");
  const DDim rows(x.begin(), static_cast<size_t>(begin));
  c.SetOutput("out", x, DataType::kFP32, c.Input("x").lod);
  c.SetOutput("residual_out", x, DataType::kFP32);
  c.SetOutput("mean", rows, DataType::kFP32);
  c.SetOutput("variance", rows, DataType::kFP32);
}

void RunFusedLayerNorm(KernelContext& c) {
  const DDim& dims = c.Input("x").dims();
  const int given = c.Attr<int32_t>("begin_norm_axis"),
            begin = given == -1 ? dims.size() - 1 : given;
  const int64_t rows = dims.Count(0, begin), cols = dims.Count(begin, dims.size());
  std::vector<float> room;
  const float* x = AddBiasAndResidual(c, cols, c.Attr<float>("residual_alpha"), &room);
  if (float* sum = OutputOrNull<float>(c, "residual_out")) std::copy(x, x + rows * cols, sum);
  float* out = c.Output("out").mutable_data<float>();
  float *mean = OutputOrNull<float>(c, "mean"), *variance = OutputOrNull<float>(c, "variance");
  const float* weight = DataOrNull<float>(c, "norm_weight");
  const float* bias = DataOrNull<float>(c, "norm_bias");
  if (weight == nullptr && bias == nullptr) {
    std::copy(x, x + rows * cols, out);
    for (float* moments : {mean, variance})
      if (moments != nullptr) std::fill(moments, moments + rows, 0.0f);
    return;
  }
  math::LayerNorm(rows, cols, x, weight, bias, c.Attr<float>("epsilon"), out, mean, variance,
                  c.threads());
}

REGISTER_LITE_OP(fused_bias_residual_layernorm)
    .Input("x")
    .OptionalInput("bias")
    .OptionalInput("residual")
    .OptionalInput("norm_weight")
    .OptionalInput("norm_bias")
    .Output("out")
    .OptionalOutput("residual_out")
    .OptionalOutput("mean")
    .OptionalOutput("variance")
    .Attr<float>("epsilon", 1e-5f)
    .Attr<float>("residual_alpha", 1.0f)
    .Attr<int32_t>("begin_norm_axis", -1)
    .Attr<float>("quant_scale", -1.0f)
    .InferShape(InferFusedLayerNorm);
REGISTER_LITE_FUNCTION(fused_bias_residual_layernorm, kHost, kFloat, kNCHW, RunFusedLayerNorm, def);

// -- fast_ln.

void InferFast(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  c.Require(!x.dims.empty(), "input x has shape ", x.dims, ", expected at least one dimension");
  for (const char* slot : {"x", "scale", "bias"})
    if (c.Input(slot).dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
  for (const char* slot : {"scale", "bias"})
    c.Require(c.Dims(slot).production() == x.dims.back(), "input ", slot, " has shape ",
              c.Dims(slot), ", expected ", x.dims.back(), " elements for x of shape ", x.dims);
  RequireEpsilon(c);
  const DDim rows(x.dims.begin(), static_cast<size_t>(x.dims.size() - 1));
  c.SetOutput("y", x.dims, x.dtype, x.lod);
  c.SetOutput("mean", rows, x.dtype);
  c.SetOutput("invvar", rows, x.dtype);
}

void RunFast(KernelContext& c) {
  const DDim& dims = c.Input("x").dims();
  const int64_t rows = dims.Count(0, dims.size() - 1);
  const float epsilon = c.Attr<float>("epsilon");
  float* inverse = OutputOrNull<float>(c, "invvar");
  math::LayerNorm(rows, dims.back(), c.Input("x").data<float>(), c.Input("scale").data<float>(),
                  c.Input("bias").data<float>(), epsilon, c.Output("y").mutable_data<float>(),
                  OutputOrNull<float>(c, "mean"), inverse, c.threads());
  for (int64_t r = 0; inverse != nullptr && r < rows; ++r)
    inverse[r] = 1 / std::sqrt(inverse[r] + epsilon);
}

REGISTER_LITE_OP(fast_ln)
    .Input("x")
    .Input("scale")
    .Input("bias")
    .Output("y")
    .OptionalOutput("mean")
    .OptionalOutput("invvar")
    .Attr<float>("epsilon", 1e-5f)
    .InferShape(InferFast);
REGISTER_LITE_FUNCTION(fast_ln, kHost, kFloat, kNCHW, RunFast, def);

// -- skip_layernorm.

void InferSkip(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  if (x.dtype != DataType::kFP32) throw DataTypeError("input X is float64, expected float32");
  c.Require(c.Dims("Y") == x.dims, "input Y has shape ", c.Dims("Y"), ", expected ", x.dims,
            " like X");
  RequireElements(c, "Y", x.dims.production());
  const int begin = c.Attr<int32_t>("begin_norm_axis");
  c.Require(begin > 0 && begin < x.dims.size(), "attribute begin_norm_axis is ", begin,
            ", expected a value in (0, ", x.dims.size(), ") for X of shape ", x.dims);
  const int64_t cols = x.dims.Count(begin, x.dims.size());
  RequireElements(c, "Scale", cols);
  RequireElements(c, "Bias", cols);
  RequireEpsilon(c);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunSkip(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int begin = c.Attr<int32_t>("begin_norm_axis");
  const int64_t rows = x.dims().Count(0, begin), cols = x.dims().Count(begin, x.dims().size());
  const float *a = x.data<float>(), *b = c.Input("Y").data<float>();
  std::vector<float> sum(static_cast<size_t>(x.numel()));
  std::transform(a, a + x.numel(), b, sum.begin(), [](float p, float q) { return p + q; });
  math::LayerNorm(rows, cols, sum.data(), c.Input("Scale").data<float>(),
                  c.Input("Bias").data<float>(), c.Attr<float>("epsilon"),
                  c.Output("Out").mutable_data<float>(), nullptr, nullptr, c.threads());
}

REGISTER_LITE_OP(skip_layernorm)
    .Input("X")
    .Input("Y")
    .Input("Scale")
    .Input("Bias")
    .Output("Out")
    .Attr<float>("epsilon", 1e-5f)
    .Attr<int32_t>("begin_norm_axis", 2)
    .InferShape(InferSkip);
REGISTER_LITE_FUNCTION(skip_layernorm, kHost, kFloat, kNCHW, RunSkip, def);

void RequireVector(const InferContext& c, const char* slot, int64_t count) {
  if (!c.HasInput(slot)) return;
  const TensorMeta& input = c.Input(slot);
  c.Require(input.dims.production() == count, "input ", slot, " has shape ", input.dims,
            ", expected ", count, " elements for x of shape ", c.Dims("x"));
  if (input.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(input.dtype), ", expected float32"));
}

}  // namespace

int BeginNormAxis(const InferContext& c) {
  const DDim& x = c.Dims("x");
  const int given = c.Attr<int32_t>("begin_norm_axis");
  const int begin = given == -1 ? x.size() - 1 : given;
  c.Require(begin >= 0 && begin < x.size(), "attribute begin_norm_axis is ", given,
            ", expected an axis of x, which has shape ", x);
  return begin;
}

void RequireNormInputs(const InferContext& c, int64_t cols) {
  const TensorMeta& x = c.Input("x");
  if (x.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input x is ", Name(x.dtype), ", expected float32"));
  for (const char* slot : {"bias", "norm_weight", "norm_bias"}) RequireVector(c, slot, cols);
  RequireVector(c, "residual", x.dims.production());
  RequireEpsilon(c);
}

void RequireNoQuantizing(const InferContext& c) {
  const float scale = c.Attr<float>("quant_scale");
  if (scale > 0)
    throw LiteError(StrCat("attribute quant_scale is ", scale,
                           ": an int8 output is not supported, expected -1"));
}

const float* AddBiasAndResidual(const KernelContext& c, int64_t cols, float alpha,
                                std::vector<float>* room) {
  const Tensor& x = c.Input("x");
  const float *from = x.data<float>(), *bias = DataOrNull<float>(c, "bias");
  const float* residual = DataOrNull<float>(c, "residual");
  if (bias == nullptr && residual == nullptr) return from;
  room->resize(static_cast<size_t>(x.numel()));
  float* to = room->data();
  math::ParallelRange(c.threads(), cols == 0 ? 0 : x.numel() / cols,
                      math::kElementGrain / (cols + 1) + 1, [&](int64_t begin, int64_t end) {
                        for (int64_t r = begin; r < end; ++r)
                          for (int64_t j = 0; j < cols; ++j) {
                            const int64_t i = r * cols + j;
                            to[i] = from[i] + (bias == nullptr ? 0 : bias[j]) +
                                    (residual == nullptr ? 0 : alpha * residual[i]);
                          }
                      });
  return to;
}

void RmsNorm(int64_t rows, int64_t cols, const float* x, const float* weight, const float* bias,
             float epsilon, float* y, float* inverse, int threads) {
  math::ParallelRange(
      threads, rows, math::kElementGrain / (cols + 1) + 1, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r) {
          const float* from = x + r * cols;
          float* to = y + r * cols;
          double squares = 0;
          for (int64_t j = 0; j < cols; ++j)
            squares += static_cast<double>(from[j]) * static_cast<double>(from[j]);
          const double mean = cols == 0 ? 0 : squares / static_cast<double>(cols);
          const auto factor =
              static_cast<float>(1 / std::sqrt(mean + static_cast<double>(epsilon)));
          for (int64_t j = 0; j < cols; ++j) {
            const float scaled = from[j] * factor * (weight == nullptr ? 1 : weight[j]);
            to[j] = bias == nullptr ? scaled : scaled + bias[j];
          }
          if (inverse != nullptr) inverse[r] = factor;
        }
      });
}

}  // namespace paddle::lite
