#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation Relu6AsActivation(const OpLite& op) {
  return {math::Act::kRelu6, op.Attr<float>("threshold")};
}

void RunRelu6(KernelContext& c) { RunActivation(c, Relu6AsActivation(c.op())); }

REGISTER_LITE_OP(relu6)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 6.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(Relu6AsActivation);
REGISTER_LITE_FUNCTION(relu6, kHost, kAny, kAny, RunRelu6, def);

}  // namespace
}  // namespace paddle::lite
