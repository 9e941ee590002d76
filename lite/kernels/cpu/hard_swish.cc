#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {math::Act::kHardSwish, op.Attr<float>("threshold"), op.Attr<float>("scale"),
          op.Attr<float>("offset")};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(hard_swish)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 6.0f)
    .Attr<float>("scale", 6.0f)
    .Attr<float>("offset", 3.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(hard_swish, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
