#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/kernels/cpu/elementwise/convert.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/quantised/fake_quant.h"

namespace paddle::lite {
namespace {

// X * Scale / (2^(bits - 1) - 1); ONNX's DequantizeLinear with a zero point of 0.
void InferDequantizeLinear(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int bits = c.Attr<int>("bit_length"), axis = c.Attr<int>("quant_axis");
  c.Require(bits >= 2 && bits <= 24, "bit_length is ", bits, ", expected 2 to 24");
  c.Require(axis >= -1 && axis < static_cast<int>(x.dims.size()), "quant_axis is ", axis,
            ", expected -1 to the rank of X, ", x.dims);
  switch (x.dtype) {
    case DataType::kFP32:
    case DataType::kInt8:
    case DataType::kInt16:
    case DataType::kInt32:
      break;
    default:
      throw DataTypeError(
          StrCat("input X is ", Name(x.dtype), ", expected float32, int8, int16 or int32"));
  }
  RequireFloat(c, "Scale");
  const int64_t scales = axis < 0 ? 1 : x.dims[axis];
  const int64_t given = c.Dims("Scale").production();
  c.Require(given == scales, "input Scale has ", given, " numbers, expected ", scales,
            " for quant_axis ", axis, " of X ", x.dims);
  c.SetOutput("Y", x.dims, DataType::kFP32, x.lod);
  c.SetOutput("OutScale", c.Dims("Scale"), DataType::kFP32);
}

template <typename T>
void Dequantize(KernelContext& c, float bound) {
  const T* from = c.Input("X").data<T>();
  const float* scales = c.Input("Scale").data<float>();
  float* to = c.Output("Y").mutable_data<float>();
  const ChannelView view = ViewChannels(c.Input("X").dims(), c.Attr<int>("quant_axis"));
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t k = 0; k < view.channels; ++k)
      for (int64_t i = 0; i < view.inner; ++i)
        *to++ = static_cast<float>(*from++) * scales[k] / bound;
}

void RunDequantizeLinear(KernelContext& c) {
  const Tensor &x = c.Input("X"), &scale = c.Input("Scale");
  if (Tensor* kept = c.OutputOrNull("OutScale"))
    std::copy(scale.data<float>(), scale.data<float>() + scale.numel(),
              kept->mutable_data<float>());
  if (c.Attr<bool>("only_observer")) {
    ConvertElements(x, &c.Output("Y"), DataType::kFP32, c.threads());
    return;
  }
  const auto bound = static_cast<float>((int64_t{1} << (c.Attr<int>("bit_length") - 1)) - 1);
  switch (x.dtype()) {
    case DataType::kInt8:
      return Dequantize<int8_t>(c, bound);
    case DataType::kInt16:
      return Dequantize<int16_t>(c, bound);
    case DataType::kInt32:
      return Dequantize<int32_t>(c, bound);
    default:
      return Dequantize<float>(c, bound);
  }
}

REGISTER_LITE_OP(dequantize_linear);
[[maybe_unused]] OpInfo& dequantize_linear_declared =
    DeclareLinearQuant(dequantize_linear_op_info).InferShape(InferDequantizeLinear);
REGISTER_LITE_FUNCTION(dequantize_linear, kHost, kAny, kNCHW, RunDequantizeLinear, def);

// X in steps of Scale, as floats; ONNX's QuantizeLinear with a zero point of 0.
void InferQuantizeLinear(InferContext& c) {
  CheckQuantAttrs(c);
  const TensorMeta& x = c.Input("X");
  RequireFloat(c, "Scale");
  const int axis = c.Attr<int>("quant_axis");
  const int64_t scales = axis < 0 ? 1 : x.dims[axis];
  const int64_t given = c.Dims("Scale").production();
  c.Require(given == scales, "input Scale has ", given, " numbers, expected ", scales,
            " for quant_axis ", axis, " of X ", x.dims);
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  c.SetOutput("OutScale", c.Dims("Scale"), DataType::kFP32);
}

void RunQuantizeLinear(KernelContext& c) {
  const Tensor &x = c.Input("X"), &scale = c.Input("Scale");
  const float *from = x.data<float>(), *scales = scale.data<float>();
  float* to = c.Output("Y").mutable_data<float>();
  if (Tensor* kept = c.OutputOrNull("OutScale"))
    std::copy(scales, scales + scale.numel(), kept->mutable_data<float>());
  if (c.Attr<bool>("only_observer")) {
    std::copy(from, from + x.numel(), to);
    return;
  }
  const QuantGrid grid = GridOf(c.op(), false);
  const ChannelView view = ViewChannels(x.dims(), c.Attr<int>("quant_axis"));
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t k = 0; k < view.channels; ++k) {
      const int64_t at = (o * view.channels + k) * view.inner;
      grid.Apply(from + at, view.inner, scales[k], to + at);
    }
}

REGISTER_LITE_OP(quantize_linear);
[[maybe_unused]] OpInfo& quantize_linear_declared =
    DeclareLinearQuant(quantize_linear_op_info).InferShape(InferQuantizeLinear);
REGISTER_LITE_FUNCTION(quantize_linear, kHost, kFloat, kNCHW, RunQuantizeLinear, def);

// Out = X * Scale / max_range.
void InferFakeDequantizeMaxAbs(InferContext& c) {
  const float range = c.Attr<float>("max_range");
  c.Require(std::isfinite(range) && range > 0, "max_range is ", range,
            ", expected a positive number");
  RequireFloat(c, "X");
  RequireFloat(c, "Scale");
  c.Require(c.Dims("Scale").production() == 1, "input Scale has shape ", c.Dims("Scale"),
            ", expected one number");
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunFakeDequantizeMaxAbs(KernelContext& c) {
  const float scale = c.Input("Scale").data<float>()[0], range = c.Attr<float>("max_range");
  ApplyUnary<float, float>(c, [=](float x) { return scale / range * x; });
}

REGISTER_LITE_OP(fake_dequantize_max_abs)
    .Input("X")
    .Input("Scale")
    .Output("Out")
    .RequiredAttr<float>("max_range")
    .InferShape(InferFakeDequantizeMaxAbs);
REGISTER_LITE_FUNCTION(fake_dequantize_max_abs, kHost, kFloat, kAny, RunFakeDequantizeMaxAbs, def);

// Out = X * Scales[0] of its channel (* Scales[1]), over the ranges of quant_bits.

// With the scale of the activation too (the second one), the channels stand at x_num_col_dims.
int64_t ChannelAxis(const OpLite& op, bool with_activation) {
  return op.Attr<int>(with_activation ? "x_num_col_dims" : "quant_axis");
}

void InferFakeChannelWiseDequantizeMaxAbs(InferContext& c) {
  RequireFloat(c, "X");
  const TensorMeta& x = c.Input("X");
  const size_t count = c.InputCount("Scales");
  c.Require(count == 1 || count == 2, "Scales has ", count, " tensors, expected 1 or 2");
  const auto& bits = c.Attr<std::vector<int>>("quant_bits");
  c.Require(bits.size() >= count, "quant_bits has ", bits.size(), " numbers, expected ", count);
  for (const int bit : bits)
    c.Require(bit >= 2 && bit <= 24, "quant_bits has ", bit, ", expected 2 to 24");
  const int64_t axis = ChannelAxis(c.op(), count == 2);
  c.Require(axis >= 0 && axis < static_cast<int64_t>(x.dims.size()), "the channels' axis is ", axis,
            ", expected 0 to the rank of X, ", x.dims);
  const int64_t channels = x.dims[static_cast<int>(axis)];
  for (size_t i = 0; i < count; ++i) {
    const TensorMeta& scale = c.Input("Scales", i);
    if (scale.dtype != DataType::kFP32)
      throw DataTypeError(StrCat("input Scales is ", Name(scale.dtype), ", expected float32"));
    const int64_t expected = i == 0 ? channels : 1;
    c.Require(scale.dims.production() == expected, "Scales[", i, "] has shape ", scale.dims,
              ", expected ", expected, " number(s)");
  }
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunFakeChannelWiseDequantizeMaxAbs(KernelContext& c) {
  const bool with_activation = c.InputCount("Scales") == 2;
  const auto& bits = c.Attr<std::vector<int>>("quant_bits");
  float bound = static_cast<float>((int64_t{1} << (bits[0] - 1)) - 1);
  float activation = 1;
  if (with_activation) {
    bound *= static_cast<float>((int64_t{1} << (bits[1] - 1)) - 1);
    activation = c.Input("Scales", 1).data<float>()[0];
  }
  const Tensor& x = c.Input("X");
  const float *from = x.data<float>(), *scales = c.Input("Scales").data<float>();
  float* to = c.Output("Out").mutable_data<float>();
  const ChannelView view = ViewChannels(x.dims(), ChannelAxis(c.op(), with_activation));
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t k = 0; k < view.channels; ++k) {
      const float scale = scales[k] * activation / bound;
      for (int64_t i = 0; i < view.inner; ++i) *to++ = *from++ * scale;
    }
}

REGISTER_LITE_OP(fake_channel_wise_dequantize_max_abs)
    .Input("X")
    .Inputs("Scales")
    .Output("Out")
    .Attr<std::vector<int>>("quant_bits", {8})
    .Attr<int>("quant_axis", 0)
    .Attr<int>("x_num_col_dims", 1)
    .InferShape(InferFakeChannelWiseDequantizeMaxAbs);
REGISTER_LITE_FUNCTION(fake_channel_wise_dequantize_max_abs, kHost, kFloat, kNCHW,
                       RunFakeChannelWiseDequantizeMaxAbs, def);

}  // namespace
}  // namespace paddle::lite
