// rms_norm of x + bias + residual, as older programs have it and as Paddle 3's with the dims that
// are normalised in `normalized_shape`; fast_rms_norm of the last axis.
#include <algorithm>

#include "lite/kernels/cpu/fused_norm.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
