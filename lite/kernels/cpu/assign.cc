#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void RunAssign(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

REGISTER_LITE_OP(assign).Input("X").Output("Out").InferShape(InferSameAs("X", "Out"));
REGISTER_LITE_FUNCTION(assign, kHost, kAny, kAny, RunAssign, def);

}  // namespace
}  // namespace paddle::lite
