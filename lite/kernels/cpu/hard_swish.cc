#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation HardSwishAsActivation(const OpLite& op) {
  return {math::Act::kHardSwish, op.Attr<float>("threshold"), op.Attr<float>("scale"),
          op.Attr<float>("offset")};
}

void RunHardSwish(KernelContext& c) { RunActivation(c, HardSwishAsActivation(c.op())); }

REGISTER_LITE_OP(hard_swish)
    .Input("X")
    .Output("Out")
    .Attr<float>("threshold", 6.0f)
    .Attr<float>("scale", 6.0f)
    .Attr<float>("offset", 3.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(HardSwishAsActivation);
REGISTER_LITE_FUNCTION(hard_swish, kHost, kAny, kAny, RunHardSwish, def);

}  // namespace
}  // namespace paddle::lite
