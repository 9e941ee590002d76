#include "lite/kernels/cpu/softmax.h"

namespace paddle::lite {
namespace {

void RunLogSoftmax(KernelContext& c) { RunSoftmax(c, true); }

REGISTER_LITE_OP(log_softmax)
    .Input("X")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferSoftmax);
REGISTER_LITE_FUNCTION(log_softmax, kHost, kAny, kAny, RunLogSoftmax, def);

}  // namespace
}  // namespace paddle::lite
