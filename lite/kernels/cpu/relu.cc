#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation ReluAsActivation(const OpLite&) { return {math::Act::kRelu}; }

void RunRelu(KernelContext& c) { RunActivation(c, ReluAsActivation(c.op())); }

REGISTER_LITE_OP(relu)
    .Input("X")
    .Output("Out")
    .InferShape(InferFloatUnary())
    .AsActivation(ReluAsActivation);
REGISTER_LITE_FUNCTION(relu, kHost, kAny, kAny, RunRelu, def);

}  // namespace
}  // namespace paddle::lite
