#include "lite/kernels/cpu/matrix/matmul.h"

#include <algorithm>

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
REGISTER_LITE_KERNEL(matmul_v2, kHost, kFloat, kNCHW, MatMulKernel<MatmulV2ShapeOf>, def, true,
                     false, false, false, MatMulKeepsBytes<MatmulV2ShapeOf>);
REGISTER_LITE_KERNEL(matmul_v2, kHost, kUInt8, kNCHW, MatMulKernel<MatmulV2ShapeOf>, def);

MatMulShape BmmShapeOf(const OpLite&, const DDim& x, const DDim& y) {
  if (x.size() != 3 || y.size() != 3 || x[0] != y[0])
    throw ShapeError(StrCat("inputs X of shape ", x, " and Y of shape ", y,
                            ", expected rank 3 and equal batch sizes"));
  return BroadcastMatMulShape(x, y, false, false);
}

REGISTER_LITE_OP(bmm).Input("X").Input("Y").Output("Out").InferShape(InferMatMul<BmmShapeOf, true>);
REGISTER_LITE_FUNCTION(bmm, kHost, kAny, kNCHW, RunMatMulAnyType<BmmShapeOf>, def);
REGISTER_LITE_KERNEL(bmm, kHost, kFloat, kNCHW, MatMulKernel<BmmShapeOf>, def, true);

// The dims before the matrix, with ones in front up to `rank`.
DDim BatchDims(const DDim& dims, int rank) {
  DDim batch;
  for (int i = dims.size() - 2; i < rank; ++i) batch.push_back(1);
  for (int i = 0; i < dims.size() - 2; ++i) batch.push_back(dims[i]);
  return batch;
}

// Matrices from one of the batch to the next along each dim.
DDim BatchStrides(const DDim& dims) {
  DDim strides = dims;
  int64_t size = 1;
  for (int i = dims.size() - 1; i >= 0; --i) {
    strides[i] = dims[i] == 1 ? 0 : size;
    size *= dims[i];
  }
  return strides;
}

int64_t BroadcastDim(int64_t a, int64_t b, const DDim& x, const DDim& y) {
  if (a != b && a != 1 && b != 1)
    throw ShapeError(StrCat("inputs X of shape ", x, " and Y of shape ", y, " have batch sizes ", a,
                            " and ", b, ", expected equal ones or a 1"));
  return a == 1 ? b : a;
}

}  // namespace

BatchIndex::BatchIndex(const MatMulShape& s)
    : batch_(s.batch), stride_x_(BatchStrides(s.batch_x)), stride_y_(BatchStrides(s.batch_y)) {}

void BatchIndex::Find(int64_t i, int64_t* x, int64_t* y) const {
  *x = *y = 0;
  for (int d = batch_.size() - 1; d >= 0; --d) {
    const int64_t at = i % batch_[d];
    i /= batch_[d];
    *x += at * stride_x_[d];
    *y += at * stride_y_[d];
  }
}

MatMulShape BroadcastMatMulShape(const DDim& x, const DDim& y, bool trans_x, bool trans_y) {
  if (x.empty() || y.empty())
    throw ShapeError(StrCat("inputs X of shape ", x, " and Y of shape ", y,
                            ", expected at least one dimension each"));
  DDim a = x, b = y;
  if (x.size() == 1) a = DDim{1, x[0]};
  if (y.size() == 1) b = DDim{y[0], 1};
  MatMulShape s;
  s.trans_x = trans_x && x.size() > 1;
  s.trans_y = trans_y && y.size() > 1;
  const int64_t x_rows = a[a.size() - 2], x_cols = a.back();
  const int64_t y_rows = b[b.size() - 2], y_cols = b.back();
  s.m = s.trans_x ? x_cols : x_rows;
  s.k = s.trans_x ? x_rows : x_cols;
  s.n = s.trans_y ? y_rows : y_cols;
  const int64_t y_depth = s.trans_y ? y_cols : y_rows;
  if (s.k != y_depth)
    throw ShapeError(StrCat("inputs X of shape ", x, " and Y of shape ", y, " are multiplied over ",
                            s.k, " and ", y_depth, " elements, expected equal numbers"));
  const int rank = std::max(a.size(), b.size()) - 2;
  s.batch_x = BatchDims(a, rank);
  s.batch_y = BatchDims(b, rank);
  for (int i = 0; i < rank; ++i) s.batch.push_back(BroadcastDim(s.batch_x[i], s.batch_y[i], x, y));
  s.out = s.batch;
  if (x.size() > 1) s.out.push_back(s.m);
  if (y.size() > 1) s.out.push_back(s.n);
  return s;
}

void RequireMatMulTypes(const InferContext& c, const char* x, const char* y, bool or_complex) {
  const DataType type = c.Input(x).dtype;
  if (type != DataType::kFP32 && type != DataType::kFP64 && type != DataType::kInt32 &&
      type != DataType::kInt64 && !(or_complex && IsComplex(type)))
    throw DataTypeError(StrCat("input ", x, " is ", Name(type),
                               ", expected float32, float64, int32",
                               or_complex ? ", int64, complex64 or complex128" : " or int64"));
  if (type == DataType::kFP32 && IsInt8(c, y)) return;
  if (c.Input(y).dtype != type)
    throw DataTypeError(StrCat("input ", y, " is ", Name(c.Input(y).dtype), ", but ", x, " is ",
                               Name(type), ", expected the same type"));
}

void RequireInt8MatMul(const InferContext& c, const char* y, const MatMulShape& shape) {
  if (!IsInt8(c, y)) return;
  c.Require(c.Dims(y).size() == 2, "input ", y, " is int8 of shape ", c.Dims(y),
            ", expected rank 2");
  RequireInt8(c, y, shape.n, shape.k);
}

}  // namespace paddle::lite
