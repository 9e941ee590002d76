#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation SiluAsActivation(const OpLite&) { return {math::Act::kSwish, 1.0f}; }

void RunSilu(KernelContext& c) { RunActivation(c, SiluAsActivation(c.op())); }

REGISTER_LITE_OP(silu)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(SiluAsActivation);
REGISTER_LITE_FUNCTION(silu, kHost, kAny, kAny, RunSilu, def);

}  // namespace
}  // namespace paddle::lite
