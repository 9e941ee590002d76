// A convolution of Input [N, C, H, W], rounded to 256 steps of what it holds, with a Filter of 8
// bits: DynamicQuantizeLinear and ConvInteger of ONNX, and what their steps stand for. A weight is
// Filter times int8_weight_scales, of its output channel.
#include "lite/kernels/cpu/convolution/conv.h"
#include "lite/kernels/cpu/convolution/conv_nhwc.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {
namespace {

void InferDynamicQuantizeConv2d(InferContext& c) {
  RequireType(c, "Input", {DataType::kFP32});
  RequireType(c, "Filter", {DataType::kInt8});
  InferConv(c, 2);
}

REGISTER_LITE_OP(dynamic_quantize_conv2d);
[[maybe_unused]] OpInfo& dynamic_quantize_conv2d_declared =
    DeclareDynamicInt8(DeclareConv(dynamic_quantize_conv2d_op_info, 2))
        .InferShape(InferDynamicQuantizeConv2d);
REGISTER_LITE_FUNCTION(dynamic_quantize_conv2d, kHost, kAny, kNCHW, RunConvReference, def);
REGISTER_LITE_KERNEL(dynamic_quantize_conv2d, kHost, kFloat, kNHWC, ConvNhwc, def, true, true,
                     false, true);

}  // namespace
}  // namespace paddle::lite
