#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation GeluAsActivation(const OpLite& op) {
  return {op.Attr<bool>("approximate") ? math::Act::kGeluTanh : math::Act::kGelu};
}

void RunGelu(KernelContext& c) { RunActivation(c, GeluAsActivation(c.op())); }

REGISTER_LITE_OP(gelu)
    .Input("X")
    .Output("Out")
    .Attr<bool>("approximate", false)
    .InferShape(InferFloatUnary())
    .AsActivation(GeluAsActivation);
REGISTER_LITE_FUNCTION(gelu, kHost, kAny, kAny, RunGelu, def);

}  // namespace
}  // namespace paddle::lite
