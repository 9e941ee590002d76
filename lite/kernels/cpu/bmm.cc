#include "lite/kernels/cpu/matmul.h"

namespace paddle::lite {
namespace {

MatMulShape BmmShapeOf(const OpLite&, const DDim& x, const DDim& y) {
  if (x.size() != 3 || y.size() != 3 || x[0] != y[0])
    throw ShapeError(StrCat("inputs X of shape ", x, " and Y of shape ", y,
                            ", expected rank 3 and equal batch sizes"));
  return BroadcastMatMulShape(x, y, false, false);
}

REGISTER_LITE_OP(bmm).Input("X").Input("Y").Output("Out").InferShape(InferMatMul<BmmShapeOf, true>);
REGISTER_LITE_FUNCTION(bmm, kHost, kAny, kNCHW, RunMatMulAnyType<BmmShapeOf>, def);
REGISTER_LITE_KERNEL(bmm, kHost, kFloat, kNCHW, MatMulKernel<BmmShapeOf>, def, true);

}  // namespace
}  // namespace paddle::lite
