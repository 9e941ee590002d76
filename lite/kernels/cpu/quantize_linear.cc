// X in steps of Scale, as floats; ONNX's QuantizeLinear with a zero point of 0.
#include <algorithm>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
