#include <cmath>

#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

using Step = math::EpilogueStep;

template <Step::Op op>
void RunFusionElementwiseActivation(KernelContext& c) {
  RunBinaryFloat(c, op, NamedActivation(c.op()));
}

template <typename Binary>
void RunWithoutStep(KernelContext& c, Binary&& binary) {
  const math::Activation activation = NamedActivation(c.op());
  ApplyBroadcast<float, float>(
      c,
      [&](float x, float y) {
        return static_cast<float>(ApplyActivation(activation, binary(x, y)));
      },
      c.Attr<int>("axis"));
}

void RunPow(KernelContext& c) {
  RunWithoutStep(c, [](float x, float y) { return std::pow(x, y); });
}

void RunFloorDiv(KernelContext& c) {
  RunWithoutStep(c, [](float x, float y) { return std::floor(x / y); });
}

// `alpha` is the slope of act_type leaky_relu. What follows is called on the declaration.
#define REGISTER_FUSED_ELEMENTWISE(type, Kernel)                   \
  REGISTER_LITE_FUNCTION(type, kHost, kFloat, kNCHW, Kernel, def); \
  REGISTER_LITE_FUNCTION(type, kHost, kFloat, kNHWC, Kernel, def); \
  REGISTER_LITE_OP(type)                                           \
      .Input("X")                                                  \
      .Input("Y")                                                  \
      .Output("Out")                                               \
      .Attr<int>("axis", -1)                                       \
      .Attr<std::string>("act_type", "")                           \
      .Attr<float>("alpha", 0.02f)                                 \
      .InferShape(InferBinaryActivation)

// With the step that the plan may fold.
#define REGISTER_FUSED_STEP(type, step)                                        \
  REGISTER_FUSED_ELEMENTWISE(type, RunFusionElementwiseActivation<Step::step>) \
      .AsBinary(Step::step)                                                    \
      .AsActivation(NamedActivation)

REGISTER_FUSED_STEP(fusion_elementwise_add_activation, kAdd);
REGISTER_FUSED_STEP(fusion_elementwise_sub_activation, kSub);
REGISTER_FUSED_STEP(fusion_elementwise_mul_activation, kMul);
REGISTER_FUSED_STEP(fusion_elementwise_div_activation, kDiv);
REGISTER_FUSED_STEP(fusion_elementwise_max_activation, kMax);
REGISTER_FUSED_STEP(fusion_elementwise_min_activation, kMin);
REGISTER_FUSED_ELEMENTWISE(fusion_elementwise_pow_activation, RunPow);
REGISTER_FUSED_ELEMENTWISE(fusion_elementwise_floordiv_activation, RunFloorDiv);

}  // namespace
}  // namespace paddle::lite
