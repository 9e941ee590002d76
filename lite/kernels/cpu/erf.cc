#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation ErfAsActivation(const OpLite&) { return {math::Act::kErf}; }

void RunErf(KernelContext& c) { RunActivation(c, ErfAsActivation(c.op())); }

REGISTER_LITE_OP(erf)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(ErfAsActivation);
REGISTER_LITE_FUNCTION(erf, kHost, kAny, kAny, RunErf, def);

}  // namespace
}  // namespace paddle::lite
