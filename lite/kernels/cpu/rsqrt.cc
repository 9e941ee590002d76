#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation RsqrtAsActivation(const OpLite&) { return {math::Act::kRsqrt}; }

void RunRsqrt(KernelContext& c) { RunActivation(c, RsqrtAsActivation(c.op())); }

REGISTER_LITE_OP(rsqrt)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(RsqrtAsActivation);
REGISTER_LITE_FUNCTION(rsqrt, kHost, kAny, kAny, RunRsqrt, def);

}  // namespace
}  // namespace paddle::lite
