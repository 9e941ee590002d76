#include <cmath>

#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

void Run(KernelContext& c) {
  const math::Activation activation = NamedActivation(c.op());
  ApplyBroadcast<float, float>(
      c,
      [&](float x, float y) {
        return static_cast<float>(ApplyActivation(activation, std::floor(x / y)));
      },
      c.Attr<int>("axis"));
}

// `alpha` is the slope of act_type leaky_relu.
REGISTER_LITE_OP(fusion_elementwise_floordiv_activation)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .Attr<std::string>("act_type", "")
    .Attr<float>("alpha", 0.02f)
    .InferShape(InferBinaryActivation);
REGISTER_LITE_FUNCTION(fusion_elementwise_floordiv_activation, kHost, kFloat, kNCHW, Run, def);
REGISTER_LITE_FUNCTION(fusion_elementwise_floordiv_activation, kHost, kFloat, kNHWC, Run, def);

}  // namespace
}  // namespace paddle::lite
