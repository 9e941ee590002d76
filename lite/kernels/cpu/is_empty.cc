#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) { c.SetOutput("Out", {}, DataType::kBool); }

void Run(KernelContext& c) { *c.Output("Out").mutable_data<bool>() = c.Input("X").numel() == 0; }

REGISTER_LITE_OP(is_empty).Input("X").Output("Out").InferShape(Infer).ShapeOnly();
REGISTER_LITE_FUNCTION(is_empty, kHost, kAny, kAny, Run, def);

}  // namespace
}  // namespace paddle::lite
