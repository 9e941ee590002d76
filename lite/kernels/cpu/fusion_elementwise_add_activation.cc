#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

void Run(KernelContext& c) { RunBinaryFloat(c, math::EpilogueStep::kAdd, NamedActivation(c.op())); }

// `alpha` is the slope of act_type leaky_relu.
REGISTER_LITE_OP(fusion_elementwise_add_activation)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int>("axis", -1)
    .Attr<std::string>("act_type", "")
    .Attr<float>("alpha", 0.02f)
    .InferShape(InferBinaryActivation)
    .AsBinary(math::EpilogueStep::kAdd)
    .AsActivation(NamedActivation);
REGISTER_LITE_FUNCTION(fusion_elementwise_add_activation, kHost, kFloat, kNCHW, Run, def);
REGISTER_LITE_FUNCTION(fusion_elementwise_add_activation, kHost, kFloat, kNHWC, Run, def);

}  // namespace
}  // namespace paddle::lite
