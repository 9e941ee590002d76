#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {math::Act::kElu, op.Attr<float>("alpha")};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(elu)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(elu, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
