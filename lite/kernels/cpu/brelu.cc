#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {math::Act::kClip, op.Attr<float>("t_min"), op.Attr<float>("t_max")};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(brelu)
    .Input("X")
    .Output("Out")
    .Attr<float>("t_min", 0.0f)
    .Attr<float>("t_max", 24.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(brelu, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
