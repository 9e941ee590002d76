// `lod_array_length`: how many tensors the list X has, int64 [1].
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

void RunLodArrayLength(KernelContext& c) {
  Tensor& out = c.Output("Out");
  out.Allocate({1}, DataType::kInt64);
  *out.mutable_data<int64_t>() = static_cast<int64_t>(ListInput(c, "X").size());
}

REGISTER_LITE_OP(lod_array_length)
    .Input("X")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(lod_array_length, kHost, kAny, kNCHW, RunLodArrayLength, def);

}  // namespace
}  // namespace paddle::lite
