#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite&) { return {math::Act::kSwish, 1.0f}; }

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(silu)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(silu, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
