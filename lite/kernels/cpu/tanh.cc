#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite&) { return {math::Act::kTanh}; }

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(tanh)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(tanh, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
