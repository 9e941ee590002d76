#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation SigmoidAsActivation(const OpLite&) { return {math::Act::kSigmoid}; }

void RunSigmoid(KernelContext& c) { RunActivation(c, SigmoidAsActivation(c.op())); }

REGISTER_LITE_OP(sigmoid)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(SigmoidAsActivation);
REGISTER_LITE_FUNCTION(sigmoid, kHost, kAny, kAny, RunSigmoid, def);

}  // namespace
}  // namespace paddle::lite
