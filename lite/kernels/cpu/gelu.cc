#include "lite/kernels/cpu/activation.h"

namespace paddle::lite {
namespace {

math::Activation AsActivation(const OpLite& op) {
  return {op.Attr<bool>("approximate") ? math::Act::kGeluTanh : math::Act::kGelu};
}

void Run(KernelContext& c) { RunActivation(c, AsActivation(c.op())); }

REGISTER_LITE_OP(gelu)
    .Input("X")
    .Output("Out")
    .Attr<bool>("approximate", false)
    .InferShape(InferFloatUnary())
    .AsActivation(AsActivation);
REGISTER_LITE_FUNCTION(gelu, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
