#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {math::Act::kRelu6, op.Attr<float>("threshold")};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(relu6)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 6.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(relu6, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
