#include "lite/kernels/cpu/unstack.h"

namespace paddle::lite {
namespace {

void InferUnstackOp(InferContext& c) {
  const int num = c.Attr<int32_t>("num");
  c.Require(num == 0 || static_cast<size_t>(num) == c.OutputCount("Y"), "num is ", num,
            ", but Y has ", c.OutputCount("Y"), " tensors");
  InferUnstack(c, "Y", /*keep_lod=*/false);
}

void RunUnstack(KernelContext& c) { Unstack(c, "Y"); }

REGISTER_LITE_OP(unstack)
    .Input("X")
    .Outputs("Y")
    .Attr<int32_t>("axis", 0)
    .Attr<int32_t>("num", 0)
    .InferShape(InferUnstackOp);
REGISTER_LITE_FUNCTION(unstack, kHost, kAny, kNCHW, RunUnstack, def);

}  // namespace
}  // namespace paddle::lite
