#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/kernels/cpu/linear_algebra/decompositions.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// eigh and eigvalsh of symmetric matrices. Eigenvectors have length 1; which of both signs they
// have is not said by Paddle either.
bool IsUpper(const OpLite& op) {
  const auto& word = op.Attr<std::string>("UPLO");
  if (word != "L" && word != "U")
    throw LiteError(StrCat("attribute UPLO is \"", word, "\", expected L or U"));
  return word == "U";
}

void InferEigh(InferContext& c) {
  RequireSquare(c, "X");
  IsUpper(c.op());
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Eigenvalues", BatchDims(x.dims, {x.dims.back()}), x.dtype);
  c.SetOutput("Eigenvectors", x.dims, x.dtype);
}

void RunEigh(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& values = c.Output("Eigenvalues");
  Tensor* vectors = c.OutputOrNull("Eigenvectors");
  values.MutableRaw(values.dtype());
  if (vectors != nullptr) vectors->MutableRaw(vectors->dtype());
  const int64_t n = x.dims().back();
  if (x.numel() == 0) return;
  ForEachMatrix(c, x.dims(), [&](int64_t i) {
    const Matrix a = LoadMatrix(x, i, n * n);
    RequireFinite(a, i);
    Matrix columns;
    StoreMatrix(SymmetricEigen(a, n, IsUpper(c.op()), vectors == nullptr ? nullptr : &columns),
                values, i);
    if (vectors != nullptr) StoreMatrix(columns, *vectors, i);
  });
}

REGISTER_LITE_OP(eigh)
    .Input("X")
    .Output("Eigenvalues")
    .Output("Eigenvectors")
    .Attr<std::string>("UPLO", "L")
    .InferShape(InferEigh);
REGISTER_LITE_FUNCTION(eigh, kHost, kAny, kNCHW, RunEigh, def);

REGISTER_LITE_OP(eigvalsh)
    .Input("X")
    .Output("Eigenvalues")
    .OptionalOutput("Eigenvectors")
    .Attr<std::string>("UPLO", "L")
    .InferShape(InferEigh);
REGISTER_LITE_FUNCTION(eigvalsh, kHost, kAny, kNCHW, RunEigh, def);

// svd, svdvals and matrix_rank. Pairs of singular vectors have one sign or the other.

// Calls fn(index, singular values and vectors) for each matrix of m x n.
template <typename Fn>
void ForSingular(KernelContext& c, const Tensor& x, Fn fn) {
  const DDim& dims = x.dims();
  const int64_t m = dims[dims.size() - 2], n = dims.back();
  if (x.numel() == 0) return;
  ForEachMatrix(c, dims, [&](int64_t i) {
    const Matrix a = LoadMatrix(x, i, m * n);
    RequireFinite(a, i);
    fn(i, SingularValues(a, m, n));
  });
}

void InferSvd(InferContext& c) {
  RequireMatrices(c, "X");
  const TensorMeta& x = c.Input("X");
  const int64_t m = x.dims[x.dims.size() - 2], n = x.dims.back(), k = std::min(m, n);
  const bool full = c.Attr<bool>("full_matrices");
  c.Require(k > 0, "input X has shape ", x.dims, ", expected matrices that have elements");
  c.SetOutput("U", BatchDims(x.dims, {m, full ? m : k}), x.dtype);
  c.SetOutput("S", BatchDims(x.dims, {k}), x.dtype);
  c.SetOutput("VH", BatchDims(x.dims, {full ? n : k, n}), x.dtype);
}

void RunSvd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor &u = c.Output("U"), &s = c.Output("S"), &vh = c.Output("VH");
  for (Tensor* out : {&u, &s, &vh}) out->MutableRaw(out->dtype());
  const DDim& dims = x.dims();
  const int64_t m = dims[dims.size() - 2], n = dims.back(), k = std::min(m, n);
  const int64_t rows = vh.dims()[vh.dims().size() - 2];
  ForSingular(c, x, [&](int64_t i, const Singular& found) {
    StoreMatrix(found.s, s, i);
    StoreMatrix(WithMoreColumns(found.u, m, k, u.dims().back()), u, i);
    const Matrix v = WithMoreColumns(found.v, n, k, rows);
    Matrix turned(v.size());
    for (int64_t row = 0; row < n; ++row)
      for (int64_t col = 0; col < rows; ++col)
        turned[static_cast<size_t>(col * n + row)] = v[static_cast<size_t>(row * rows + col)];
    StoreMatrix(turned, vh, i);
  });
}

REGISTER_LITE_OP(svd)
    .Input("X")
    .Output("U")
    .Output("S")
    .Output("VH")
    .Attr<bool>("full_matrices", false)
    .InferShape(InferSvd);
REGISTER_LITE_FUNCTION(svd, kHost, kAny, kNCHW, RunSvd, def);

// -- svdvals.

void InferValues(InferContext& c) {
  RequireMatrices(c, "x");
  const TensorMeta& x = c.Input("x");
  const int64_t k = std::min(x.dims[x.dims.size() - 2], x.dims.back());
  c.SetOutput("s", BatchDims(x.dims, {k}), x.dtype);
}

void RunValues(KernelContext& c) {
  Tensor& s = c.Output("s");
  s.MutableRaw(s.dtype());
  ForSingular(c, c.Input("x"),
              [&](int64_t i, const Singular& found) { StoreMatrix(found.s, s, i); });
}

REGISTER_LITE_OP(svdvals).Input("x").Output("s").InferShape(InferValues);
REGISTER_LITE_FUNCTION(svdvals, kHost, kAny, kNCHW, RunValues, def);

// -- matrix_rank: how many singular values (eigenvalues of hermitian matrices) are above the
// tolerance.

void InferRank(InferContext& c) {
  if (c.Attr<bool>("hermitian"))
    RequireSquare(c, "X");
  else
    RequireMatrices(c, "X");
  const TensorMeta& x = c.Input("X");
  const DDim batch = BatchDims(x.dims, {});
  for (const char* slot : {"TolTensor", "RtolTensor"}) {
    if (!c.HasInput(slot)) continue;
    const TensorMeta& tolerance = c.Input(slot);
    if (tolerance.dtype != x.dtype)
      throw DataTypeError(StrCat("input ", slot, " is ", Name(tolerance.dtype), ", expected ",
                                 Name(x.dtype), " like X"));
    c.Require(tolerance.dims == batch || tolerance.dims.production() == 1, "input ", slot,
              " has shape ", tolerance.dims, ", expected one number or ", batch);
  }
  const DataType out = DataTypeFrom(c.Attr<int32_t>("out_dtype"), "out_dtype");
  if (out != DataType::kInt32 && out != DataType::kInt64)
    throw DataTypeError(StrCat("attribute out_dtype is ", Name(out), ", expected int32 or int64"));
  c.SetOutput("Out", batch, out);
}

double NumberAt(const Tensor& tensor, int64_t i) {
  return LoadMatrix(tensor, tensor.numel() == 1 ? 0 : i, 1)[0];
}

// Of matrix i: an absolute tolerance, and one that is relative to the largest value.
double Tolerance(const KernelContext& c, int64_t i, double largest, double precision) {
  const Tensor *absolute = c.InputOrNull("TolTensor"), *relative = c.InputOrNull("RtolTensor");
  const bool by_default = c.Attr<bool>("use_default_tol");
  if (absolute == nullptr) return by_default ? precision * largest : c.Attr<float>("tol");
  const double least = NumberAt(*absolute, i);
  if (relative != nullptr) return std::max(least, NumberAt(*relative, i) * largest);
  return by_default ? std::max(least, precision * largest) : least;
}

void Store(const std::vector<int64_t>& ranks, Tensor& out) {
  if (out.dtype() == DataType::kInt64) {
    std::copy(ranks.begin(), ranks.end(), out.mutable_data<int64_t>());
    return;
  }
  std::transform(ranks.begin(), ranks.end(), out.mutable_data<int32_t>(),
                 [](int64_t rank) { return static_cast<int32_t>(rank); });
}

void RunRank(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  const int64_t m = dims[dims.size() - 2], n = dims.back();
  const double unit = x.dtype() == DataType::kFP64
                          ? std::numeric_limits<double>::epsilon()
                          : static_cast<double>(std::numeric_limits<float>::epsilon());
  Tensor& out = c.Output("Out");
  std::vector<int64_t> ranks(static_cast<size_t>(out.numel()), 0);
  if (x.numel() == 0) return Store(ranks, out);
  ForEachMatrix(c, dims, [&](int64_t i) {
    const Matrix a = LoadMatrix(x, i, m * n);
    RequireFinite(a, i);
    std::vector<double> values = c.Attr<bool>("hermitian") ? SymmetricEigen(a, n, false, nullptr)
                                                           : SingularValues(a, m, n).s;
    for (double& value : values) value = std::abs(value);
    const double largest = *std::max_element(values.begin(), values.end());
    const double limit = Tolerance(c, i, largest, unit * static_cast<double>(std::max(m, n)));
    ranks[static_cast<size_t>(i)] =
        std::count_if(values.begin(), values.end(), [&](double v) { return v > limit; });
  });
  Store(ranks, out);
}

REGISTER_LITE_OP(matrix_rank)
    .Input("X")
    .OptionalInput("TolTensor")
    .OptionalInput("RtolTensor")  // of Paddle 3's matrix_rank_atol_rtol
    .Output("Out")
    .Attr<float>("tol", 0.0f)
    .Attr<bool>("use_default_tol", true)
    .Attr<bool>("hermitian", false)
    .Attr<int32_t>("out_dtype", static_cast<int32_t>(DataType::kInt32))  // int64 in Paddle 3
    .InferShape(InferRank);
REGISTER_LITE_FUNCTION(matrix_rank, kHost, kAny, kNCHW, RunRank, def);

}  // namespace
}  // namespace paddle::lite
