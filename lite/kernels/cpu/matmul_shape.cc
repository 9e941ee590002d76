#include <algorithm>

#include "lite/kernels/cpu/matmul.h"

namespace paddle::lite {
namespace {

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
