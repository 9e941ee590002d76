#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void InferShapeOp(InferContext& c) {
  c.SetOutput("Out", {c.Dims("Input").size()}, DataType::kInt32);
}

void RunShape(KernelContext& c) {
  auto* out = c.Output("Out").mutable_data<int32_t>();
  for (const int64_t dim : c.Input("Input").dims()) *out++ = static_cast<int32_t>(dim);
}

REGISTER_LITE_OP(shape).Input("Input").Output("Out").InferShape(InferShapeOp).ShapeOnly();
REGISTER_LITE_FUNCTION(shape, kHost, kAny, kAny, RunShape, def);

}  // namespace
}  // namespace paddle::lite
