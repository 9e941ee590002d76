#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation SwishAsActivation(const OpLite& op) {
  return {math::Act::kSwish, op.Attr<float>("beta")};
}

void RunSwish(KernelContext& c) { RunActivation(c, SwishAsActivation(c.op())); }

REGISTER_LITE_OP(swish)
    .Input("X")
    .Output("Out")
    .Attr<float>("beta", 1.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(SwishAsActivation);
REGISTER_LITE_FUNCTION(swish, kHost, kAny, kAny, RunSwish, def);

}  // namespace
}  // namespace paddle::lite
