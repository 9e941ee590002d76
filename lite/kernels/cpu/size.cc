// The number of Input's elements.
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void InferSize(InferContext& c) { c.SetOutput("Out", {}, DataType::kInt64); }

void RunSize(KernelContext& c) {
  *c.Output("Out").mutable_data<int64_t>() = c.Input("Input").numel();
}

REGISTER_LITE_OP(size).Input("Input").Output("Out").InferShape(InferSize).ShapeOnly();
REGISTER_LITE_FUNCTION(size, kHost, kAny, kAny, RunSize, def);

}  // namespace
}  // namespace paddle::lite
