#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation ReciprocalAsActivation(const OpLite&) { return {math::Act::kReciprocal}; }

void RunReciprocal(KernelContext& c) { RunActivation(c, ReciprocalAsActivation(c.op())); }

REGISTER_LITE_OP(reciprocal)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(ReciprocalAsActivation);
REGISTER_LITE_FUNCTION(reciprocal, kHost, kAny, kAny, RunReciprocal, def);

}  // namespace
}  // namespace paddle::lite
