#include "lite/kernels/cpu/matmul.h"

namespace paddle::lite {
namespace {

MatMulShape MatmulV2ShapeOf(const OpLite& op, const DDim& x, const DDim& y) {
  return BroadcastMatMulShape(x, y, op.Attr<bool>("trans_x"), op.Attr<bool>("trans_y"));
}

REGISTER_LITE_OP(matmul_v2)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("trans_x", false)
    .Attr<bool>("trans_y", false)
    .InferShape(InferMatMul<MatmulV2ShapeOf, false>);
[[maybe_unused]] OpInfo& matmul_v2_with_int8 = DeclareInt8(matmul_v2_op_info);
REGISTER_LITE_FUNCTION(matmul_v2, kHost, kAny, kNCHW, RunMatMulAnyType<MatmulV2ShapeOf>, def);
REGISTER_LITE_KERNEL(matmul_v2, kHost, kFloat, kNCHW, MatMulKernel<MatmulV2ShapeOf>, def, true);

}  // namespace
}  // namespace paddle::lite
