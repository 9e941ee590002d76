// lu, whose pivots say with which row each was exchanged, and lu_unpack.
#include <algorithm>

#include "lite/kernels/cpu/decompositions.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
