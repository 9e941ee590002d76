// Out = X * Scales[0] of its channel (* Scales[1]), over the ranges of quant_bits.
#include <vector>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/fake_quant.h"

namespace paddle::lite {
namespace {

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
