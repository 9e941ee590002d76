#include "lite/kernels/cpu/matmul.h"

namespace paddle::lite {
namespace {

MatMulShape Shape(const OpLite& op, const DDim& x, const DDim& y) {
  return BroadcastMatMulShape(x, y, op.Attr<bool>("trans_x"), op.Attr<bool>("trans_y"));
}

REGISTER_LITE_OP(matmul_v2)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("trans_x", false)
    .Attr<bool>("trans_y", false)
    .InferShape(InferMatMul<Shape, false>);
[[maybe_unused]] OpInfo& with_int8 = DeclareInt8(matmul_v2_op_info);
REGISTER_LITE_FUNCTION(matmul_v2, kHost, kAny, kNCHW, RunMatMulAnyType<Shape>, def);
REGISTER_LITE_KERNEL(matmul_v2, kHost, kFloat, kNCHW, MatMulKernel<Shape>, def, true);

}  // namespace
}  // namespace paddle::lite
