// The number of Input's elements.
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { c.SetOutput("Out", {}, DataType::kInt64); }

void Run(KernelContext& c) { *c.Output("Out").mutable_data<int64_t>() = c.Input("Input").numel(); }

REGISTER_LITE_OP(size).Input("Input").Output("Out").InferShape(Infer).ShapeOnly();
REGISTER_LITE_FUNCTION(size, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
