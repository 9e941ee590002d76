#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void InferIsEmpty(InferContext& c) { c.SetOutput("Out", {}, DataType::kBool); }

void RunIsEmpty(KernelContext& c) {
  *c.Output("Out").mutable_data<bool>() = c.Input("X").numel() == 0;
}

REGISTER_LITE_OP(is_empty).Input("X").Output("Out").InferShape(InferIsEmpty).ShapeOnly();
REGISTER_LITE_FUNCTION(is_empty, kHost, kAny, kAny, RunIsEmpty, def);

}  // namespace
}  // namespace paddle::lite
