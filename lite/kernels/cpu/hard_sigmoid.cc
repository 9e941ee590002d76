#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation HardSigmoidAsActivation(const OpLite& op) {
  return {math::Act::kHardSigmoid, op.Attr<float>("slope"), op.Attr<float>("offset")};
}

void RunHardSigmoid(KernelContext& c) { RunActivation(c, HardSigmoidAsActivation(c.op())); }

REGISTER_LITE_OP(hard_sigmoid)
    .Input("X")
    .Output("Out")
    .Attr<float>("slope", 0.2f)
    .Attr<float>("offset", 0.5f)
    .InferShape(InferFloatUnary())
    .AsActivation(HardSigmoidAsActivation);
REGISTER_LITE_FUNCTION(hard_sigmoid, kHost, kAny, kAny, RunHardSigmoid, def);

}  // namespace
}  // namespace paddle::lite
