#include <algorithm>

#include "lite/kernels/cpu/linear_algebra/decompositions.h"
#include "lite/kernels/cpu/linear_algebra/linear_algebra.h"

namespace paddle::lite {
namespace {

void InferCholeskyOp(InferContext& c) {
  RequireSquare(c, "X");
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

void RunCholeskyOp(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t n = x.dims().back();
  out.MutableRaw(out.dtype());
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    StoreMatrix(Cholesky(LoadMatrix(x, i, n * n), n, c.Attr<bool>("upper"), i), out, i);
  });
}

REGISTER_LITE_OP(cholesky)
    .Input("X")
    .Output("Out")
    .Attr<bool>("upper", false)
    .InferShape(InferCholeskyOp);
REGISTER_LITE_FUNCTION(cholesky, kHost, kAny, kNCHW, RunCholeskyOp, def);

// lu, whose pivots say with which row each was exchanged, and lu_unpack.
void InferLu(InferContext& c) {
  RequireMatrices(c, "X");
  const TensorMeta& x = c.Input("X");
  c.Require(c.Attr<bool>("pivots"), "attribute pivots is false, expected partial pivoting");
  const int64_t k = std::min(x.dims[x.dims.size() - 2], x.dims.back());
  c.SetOutput("Out", x.dims, x.dtype);
  c.SetOutput("Pivots", BatchDims(x.dims, {k}), DataType::kInt32);
  c.SetOutput("Infos", BatchDims(x.dims, {}), DataType::kInt32);
}

void RunLu(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.MutableRaw(out.dtype());
  int32_t* pivots = c.Output("Pivots").mutable_data<int32_t>();
  Tensor* infos = c.OutputOrNull("Infos");
  int32_t* info = infos == nullptr ? nullptr : infos->mutable_data<int32_t>();
  const DDim& dims = x.dims();
  const int64_t m = dims[dims.size() - 2], n = dims.back(), k = std::min(m, n);
  for (int64_t i = 0; i < dims.Count(0, dims.size() - 2); ++i) {
    Matrix a = LoadMatrix(x, i, m * n);
    const int32_t zero = FactorLu(&a, m, n, pivots + i * k);
    StoreMatrix(a, out, i);
    if (info != nullptr) info[i] = zero;
  }
}

REGISTER_LITE_OP(lu)
    .Input("X")
    .Output("Out")
    .Output("Pivots")
    .OptionalOutput("Infos")
    .Attr<bool>("pivots", true)
    .InferShape(InferLu);
REGISTER_LITE_FUNCTION(lu, kHost, kAny, kNCHW, RunLu, def);

// -- lu_unpack.

void InferUnpack(InferContext& c) {
  RequireMatrices(c, "X");
  const TensorMeta &x = c.Input("X"), &pivots = c.Input("Pivots");
  const int64_t m = x.dims[x.dims.size() - 2], n = x.dims.back(), k = std::min(m, n);
  if (pivots.dtype != DataType::kInt32)
    throw DataTypeError(StrCat("input Pivots is ", Name(pivots.dtype), ", expected int32"));
  c.Require(pivots.dims == BatchDims(x.dims, {k}), "input Pivots has shape ", pivots.dims,
            ", expected ", BatchDims(x.dims, {k}), " for X of shape ", x.dims);
  for (const char* name : {"unpack_ludata", "unpack_pivots"})
    c.Require(c.Attr<bool>(name), "attribute ", name, " is false, which is not supported");
  c.SetOutput("Pmat", BatchDims(x.dims, {m, m}), x.dtype);
  c.SetOutput("L", BatchDims(x.dims, {m, k}), x.dtype);
  c.SetOutput("U", BatchDims(x.dims, {k, n}), x.dtype);
}

// The permutation matrix of m rows of which exchanges are made in turn.
Matrix Permutation(const int32_t* pivots, int64_t k, int64_t m) {
  std::vector<int64_t> rows(static_cast<size_t>(m));
  for (int64_t i = 0; i < m; ++i) rows[static_cast<size_t>(i)] = i;
  for (int64_t i = 0; i < k; ++i) {
    if (pivots[i] < 1 || pivots[i] > m)
      throw ShapeError(StrCat("input Pivots holds ", pivots[i], ", expected 1 to ", m));
    std::swap(rows[static_cast<size_t>(i)], rows[static_cast<size_t>(pivots[i] - 1)]);
  }
  Matrix p(static_cast<size_t>(m * m), 0);
  for (int64_t i = 0; i < m; ++i) p[static_cast<size_t>(rows[static_cast<size_t>(i)] * m + i)] = 1;
  return p;
}

void RunUnpack(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int32_t* pivots = c.Input("Pivots").data<int32_t>();
  Tensor &p = c.Output("Pmat"), &l = c.Output("L"), &u = c.Output("U");
  for (Tensor* out : {&p, &l, &u}) out->MutableRaw(out->dtype());
  const DDim& dims = x.dims();
  const int64_t m = dims[dims.size() - 2], n = dims.back(), k = std::min(m, n);
  for (int64_t i = 0; i < dims.Count(0, dims.size() - 2); ++i) {
    const Matrix a = LoadMatrix(x, i, m * n);
    Matrix low(static_cast<size_t>(m * k), 0), high(static_cast<size_t>(k * n), 0);
    for (int64_t row = 0; row < m; ++row)
      for (int64_t col = 0; col < k; ++col)
        low[static_cast<size_t>(row * k + col)] = row == col ? 1
                                                  : row > col
                                                      ? a[static_cast<size_t>(row * n + col)]
                                                      : 0;
    for (int64_t row = 0; row < k; ++row)
      for (int64_t col = row; col < n; ++col)
        high[static_cast<size_t>(row * n + col)] = a[static_cast<size_t>(row * n + col)];
    StoreMatrix(Permutation(pivots + i * k, k, m), p, i);
    StoreMatrix(low, l, i);
    StoreMatrix(high, u, i);
  }
}

REGISTER_LITE_OP(lu_unpack)
    .Input("X")
    .Input("Pivots")
    .Output("Pmat")
    .Output("L")
    .Output("U")
    .Attr<bool>("unpack_ludata", true)
    .Attr<bool>("unpack_pivots", true)
    .InferShape(InferUnpack);
REGISTER_LITE_FUNCTION(lu_unpack, kHost, kAny, kNCHW, RunUnpack, def);

// Columns of Q and rows of R, by attribute mode.
struct QrShape {
  int64_t m, n, columns, rows;
};

QrShape QrShapeOf(const OpLite& op, const DDim& x) {
  const auto& mode = op.Attr<std::string>("mode");
  const int64_t m = x[x.size() - 2], n = x.back(), k = std::min(m, n);
  if (mode == "complete") return {m, n, m, m};
  if (mode == "reduced") return {m, n, k, k};
  if (mode == "r") return {m, n, 0, k};
  throw LiteError(StrCat("attribute mode is \"", mode, "\", expected reduced, complete or r"));
}

void InferQr(InferContext& c) {
  RequireMatrices(c, "X");
  const TensorMeta& x = c.Input("X");
  const QrShape s = QrShapeOf(c.op(), x.dims);
  c.SetOutput("Q", s.columns == 0 ? DDim{0} : BatchDims(x.dims, {s.m, s.columns}), x.dtype);
  c.SetOutput("R", BatchDims(x.dims, {s.rows, s.n}), x.dtype);
}

void RunQr(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& r = c.Output("R");
  Tensor* q = c.OutputOrNull("Q");
  r.MutableRaw(r.dtype());
  if (q != nullptr) q->MutableRaw(q->dtype());
  const QrShape s = QrShapeOf(c.op(), x.dims());
  const int64_t count = x.dims().Count(0, x.dims().size() - 2);
  for (int64_t i = 0; i < count; ++i) {
    Matrix a = LoadMatrix(x, i, s.m * s.n);
    RequireFinite(a, i);
    const Matrix columns = FactorQr(&a, s.m, s.n, s.columns);
    a.resize(static_cast<size_t>(s.rows * s.n));
    StoreMatrix(a, r, i);
    if (q != nullptr && s.columns > 0) StoreMatrix(columns, *q, i);
  }
}

REGISTER_LITE_OP(qr)
    .Input("X")
    .OptionalOutput("Q")
    .Output("R")
    .Attr<std::string>("mode", "reduced")
    .InferShape(InferQr);
REGISTER_LITE_FUNCTION(qr, kHost, kAny, kNCHW, RunQr, def);

}  // namespace
}  // namespace paddle::lite
