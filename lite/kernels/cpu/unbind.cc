#include "lite/kernels/cpu/unstack.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { InferUnstack(c, "Out", /*keep_lod=*/true); }

void Run(KernelContext& c) { Unstack(c, "Out"); }

REGISTER_LITE_OP(unbind).Input("X").Outputs("Out").Attr<int32_t>("axis", 0).InferShape(Infer);
REGISTER_LITE_FUNCTION(unbind, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
