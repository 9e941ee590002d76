#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {math::Act::kSwish, op.Attr<float>("beta")};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(swish)
    .Input("X")
    .Output("Out")
    .Attr<float>("beta", 1.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(swish, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
