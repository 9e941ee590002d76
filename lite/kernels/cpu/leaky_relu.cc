#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation LeakyReluAsActivation(const OpLite& op) {
  return {math::Act::kLeakyRelu, op.Attr<float>("alpha")};
}

void RunLeakyRelu(KernelContext& c) { RunActivation(c, LeakyReluAsActivation(c.op())); }

REGISTER_LITE_OP(leaky_relu)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 0.02f)
    .InferShape(InferFloatUnary())
    .AsActivation(LeakyReluAsActivation);
REGISTER_LITE_FUNCTION(leaky_relu, kHost, kAny, kAny, RunLeakyRelu, def);

}  // namespace
}  // namespace paddle::lite
