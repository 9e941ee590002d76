// X * Scale / (2^(bits - 1) - 1); ONNX's DequantizeLinear with a zero point of 0.
#include <algorithm>

#include "lite/kernels/cpu/convert.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
