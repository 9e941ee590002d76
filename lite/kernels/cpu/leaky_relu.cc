#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {math::Act::kLeakyRelu, op.Attr<float>("alpha")};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(leaky_relu)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 0.02f)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(leaky_relu, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
