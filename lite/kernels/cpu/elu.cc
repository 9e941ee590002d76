#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation EluAsActivation(const OpLite& op) {
  return {math::Act::kElu, op.Attr<float>("alpha")};
}

void RunElu(KernelContext& c) { RunActivation(c, EluAsActivation(c.op())); }

REGISTER_LITE_OP(elu)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(EluAsActivation);
REGISTER_LITE_FUNCTION(elu, kHost, kAny, kAny, RunElu, def);

}  // namespace
}  // namespace paddle::lite
