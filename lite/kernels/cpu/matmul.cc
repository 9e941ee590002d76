#include "lite/kernels/cpu/matmul.h"

namespace paddle::lite {
namespace {

// The batch as one dim, so that batches of one size meet whatever their dims are.
DDim FlattenBatch(const DDim& dims) {
  const int rank = dims.size();
  return rank <= 3 ? dims : DDim{dims.Count(0, rank - 2), dims[rank - 2], dims[rank - 1]};
}

// Vectors are a row and a column, which the attributes then transpose like any matrix.
MatMulShape MatmulShapeOf(const OpLite& op, const DDim& x, const DDim& y) {
  const bool trans_x = op.Attr<bool>("transpose_X"), trans_y = op.Attr<bool>("transpose_Y");
  const DDim a = x.size() == 1 ? DDim{1, x[0]} : x;
  const DDim b = y.size() == 1 ? DDim{y[0], 1} : y;
  const bool flat = a.size() >= 2 && b.size() >= 2 && a.size() + b.size() > 6 &&
                    a.Count(0, a.size() - 2) == b.Count(0, b.size() - 2);
  MatMulShape s = flat ? BroadcastMatMulShape(FlattenBatch(a), FlattenBatch(b), trans_x, trans_y)
                       : BroadcastMatMulShape(a, b, trans_x, trans_y);
  const DDim batch = flat ? DDim(a.begin(), static_cast<size_t>(a.size() - 2)) : s.batch;
  s.out = batch;
  if (x.size() != 1 || s.m != 1) s.out.push_back(s.m);
  if (y.size() != 1 || s.n != 1) s.out.push_back(s.n);
  return s;
}

float Alpha(const OpLite& op) { return op.Attr<float>("alpha"); }

void InferMatmul(InferContext& c) {
  c.Require(c.Attr<int32_t>("head_number") == 1, "attribute head_number is ",
            c.Attr<int32_t>("head_number"), ", but only 1 is supported");
  InferMatMul<MatmulShapeOf, true>(c);
}

REGISTER_LITE_OP(matmul)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("transpose_X", false)
    .Attr<bool>("transpose_Y", false)
    .Attr<float>("alpha", 1.0f)
    .Attr<int32_t>("head_number", 1)
    .InferShape(InferMatmul);
[[maybe_unused]] OpInfo& matmul_with_int8 = DeclareInt8(matmul_op_info);
constexpr auto RunAnyType = RunMatMulAnyType<MatmulShapeOf, Alpha>;
using MatmulProduct = MatMulKernel<MatmulShapeOf, Alpha>;
REGISTER_LITE_FUNCTION(matmul, kHost, kAny, kNCHW, RunAnyType, def);
REGISTER_LITE_KERNEL(matmul, kHost, kFloat, kNCHW, MatmulProduct, def, true);

}  // namespace
}  // namespace paddle::lite
