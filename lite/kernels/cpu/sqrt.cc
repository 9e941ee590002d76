#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation SqrtAsActivation(const OpLite&) { return {math::Act::kSqrt}; }

void RunSqrt(KernelContext& c) { RunActivation(c, SqrtAsActivation(c.op())); }

REGISTER_LITE_OP(sqrt)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(SqrtAsActivation);
REGISTER_LITE_FUNCTION(sqrt, kHost, kAny, kAny, RunSqrt, def);

}  // namespace
}  // namespace paddle::lite
