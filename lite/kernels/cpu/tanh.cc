#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation TanhAsActivation(const OpLite&) { return {math::Act::kTanh}; }

void RunTanh(KernelContext& c) { RunActivation(c, TanhAsActivation(c.op())); }

REGISTER_LITE_OP(tanh)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(TanhAsActivation);
REGISTER_LITE_FUNCTION(tanh, kHost, kAny, kAny, RunTanh, def);

}  // namespace
}  // namespace paddle::lite
