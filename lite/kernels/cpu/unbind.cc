#include "lite/kernels/cpu/unstack.h"

namespace paddle::lite {
namespace {

void InferUnbind(InferContext& c) { InferUnstack(c, "Out", /*keep_lod=*/true); }

void RunUnbind(KernelContext& c) { Unstack(c, "Out"); }

REGISTER_LITE_OP(unbind).Input("X").Outputs("Out").Attr<int32_t>("axis", 0).InferShape(InferUnbind);
REGISTER_LITE_FUNCTION(unbind, kHost, kAny, kNCHW, RunUnbind, def);

}  // namespace
}  // namespace paddle::lite
