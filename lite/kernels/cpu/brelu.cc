#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation BreluAsActivation(const OpLite& op) {
  return {math::Act::kClip, op.Attr<float>("t_min"), op.Attr<float>("t_max")};
}

void RunBrelu(KernelContext& c) { RunActivation(c, BreluAsActivation(c.op())); }

REGISTER_LITE_OP(brelu)
    .Input("X")
    .Output("Out")
    .Attr<float>("t_min", 0.0f)
    .Attr<float>("t_max", 24.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(BreluAsActivation);
REGISTER_LITE_FUNCTION(brelu, kHost, kAny, kAny, RunBrelu, def);

}  // namespace
}  // namespace paddle::lite
