#include "lite/kernels/cpu/linear_algebra/linear_algebra.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

// b[row] -= factor * b[other] for rows of `cols`.
void SubtractRow(Matrix* b, int64_t row, double factor, int64_t other, int64_t cols) {
  double* to = b->data() + row * cols;
  const double* from = b->data() + other * cols;
  for (int64_t j = 0; j < cols; ++j) to[j] -= factor * from[j];
}

int64_t MatrixGrain(int64_t n) { return 32768 / (n * n * n + 1) + 1; }

}  // namespace

void RequireSquare(const InferContext& c, const char* slot) {
  RequireFloating(c, slot);
  const DDim& dims = c.Dims(slot);
  const int rank = dims.size();
  c.Require(rank >= 2 && dims[rank - 1] == dims[rank - 2], "input ", slot, " has shape ", dims,
            ", expected square matrices [..., n, n]");
}

Matrix LoadMatrix(const Tensor& tensor, int64_t index, int64_t count) {
  if (tensor.dtype() == DataType::kFP64) {
    const double* from = tensor.data<double>() + index * count;
    return {from, from + count};
  }
  const float* from = tensor.data<float>() + index * count;
  return {from, from + count};
}

void StoreMatrix(const Matrix& matrix, Tensor& tensor, int64_t index) {
  const int64_t at = index * static_cast<int64_t>(matrix.size());
  if (tensor.dtype() == DataType::kFP64) {
    std::copy(matrix.begin(), matrix.end(), tensor.mutable_data<double>() + at);
    return;
  }
  std::transform(matrix.begin(), matrix.end(), tensor.mutable_data<float>() + at,
                 [](double value) { return static_cast<float>(value); });
}

LuFactors::LuFactors(Matrix a, int64_t n)
    : lu_(std::move(a)), n_(n), order_(static_cast<size_t>(n)) {
  std::iota(order_.begin(), order_.end(), int64_t{0});
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (std::abs(At(i, k)) > std::abs(At(pivot, k))) pivot = i;
    if (pivot != k) {
      std::swap_ranges(lu_.begin() + k * n, lu_.begin() + (k + 1) * n, lu_.begin() + pivot * n);
      std::swap(order_[static_cast<size_t>(k)], order_[static_cast<size_t>(pivot)]);
      odd_ = !odd_;
    }
    if (At(k, k) == 0) continue;
    const double* const from = lu_.data() + k * n;
    for (int64_t i = k + 1; i < n; ++i) {
      double* const to = lu_.data() + i * n;
      const double factor = to[k] /= from[k];
      for (int64_t j = k + 1; j < n; ++j) to[j] -= factor * from[j];
    }
  }
}

bool LuFactors::singular() const { return Sign() == 0; }

double LuFactors::Sign() const {
  double sign = odd_ ? -1 : 1;
  for (int64_t i = 0; i < n_; ++i) sign *= At(i, i) == 0 ? 0 : std::copysign(1.0, At(i, i));
  return sign;
}

double LuFactors::LogAbsDeterminant() const {
  double sum = 0;
  for (int64_t i = 0; i < n_; ++i) sum += std::log(std::abs(At(i, i)));
  return sum;
}

double LuFactors::Determinant() const {
  double product = odd_ ? -1 : 1;
  for (int64_t i = 0; i < n_; ++i) product *= At(i, i);
  return product;
}

void LuFactors::Solve(Matrix* b, int64_t cols, int64_t index) const {
  if (singular())
    throw LiteError(StrCat("matrix ", index, " is singular, expected an invertible one"));
  const Matrix given = *b;
  for (int64_t i = 0; i < n_; ++i) {
    const double* from = given.data() + order_[static_cast<size_t>(i)] * cols;
    std::copy(from, from + cols, b->data() + i * cols);
  }
  SolveTriangular(lu_, n_, {/*upper=*/false, /*transpose=*/false, /*unit=*/true}, b, cols);
  SolveTriangular(lu_, n_, {/*upper=*/true, /*transpose=*/false, /*unit=*/false}, b, cols);
}

Matrix Inverted(Matrix a, int64_t n, int64_t index) {
  Matrix result(a.size(), 0);
  for (int64_t i = 0; i < n; ++i) result[MatrixIndex(i, i, n)] = 1;
  LuFactors(std::move(a), n).Solve(&result, n, index);
  return result;
}

Matrix Cholesky(Matrix a, int64_t n, bool upper, int64_t index) {
  const auto at = [&](int64_t i, int64_t j) -> double& {
    return a[upper ? MatrixIndex(j, i, n) : MatrixIndex(i, j, n)];
  };
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j; i < n; ++i) {
      double sum = at(i, j);
      for (int64_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      if (i == j && !(sum > 0))
        throw LiteError(StrCat("matrix ", index,
                               " is not positive definite: its leading minor of order ", j + 1,
                               " is not, expected a symmetric positive definite one"));
      at(i, j) = i == j ? std::sqrt(sum) : sum / at(j, j);
    }
    for (int64_t i = 0; i < j; ++i) at(i, j) = 0;
  }
  return a;
}

void SolveTriangular(const Matrix& a, int64_t n, const Triangle& triangle, Matrix* b,
                     int64_t cols) {
  const bool backward = triangle.upper != triangle.transpose;
  for (int64_t step = 0; step < n; ++step) {
    const int64_t i = backward ? n - 1 - step : step;
    for (int64_t done = 0; done < step; ++done) {
      const int64_t k = backward ? n - 1 - done : done;
      SubtractRow(b, i, a[triangle.transpose ? MatrixIndex(k, i, n) : MatrixIndex(i, k, n)], k,
                  cols);
    }
    if (triangle.unit) continue;
    for (int64_t j = 0; j < cols; ++j) (*b)[MatrixIndex(i, j, cols)] /= a[MatrixIndex(i, i, n)];
  }
}

void ForEachMatrix(const KernelContext& c, const DDim& dims, FunctionRef<void(int64_t)> fn) {
  const int rank = dims.size();
  math::ParallelRange(c.threads(), dims.Count(0, rank - 2), MatrixGrain(dims.back()),
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) fn(i);
                      });
}

void SolveBatch(KernelContext& c, const char* matrices, const char* right, const MatMulShape& shape,
                FunctionRef<void(const Matrix&, Matrix*, int64_t)> solve) {
  const Tensor &a = c.Input(matrices), &b = c.Input(right);
  Tensor& out = c.Output("Out");
  out.MutableRaw(out.dtype());
  const int64_t count = shape.batch.production();
  if (out.numel() == 0) return;
  const BatchIndex index(shape);
  math::ParallelRange(c.threads(), count, MatrixGrain(shape.k), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t at_a = 0, at_b = 0;
      index.Find(i, &at_a, &at_b);
      Matrix x = LoadMatrix(b, at_b, shape.k * shape.n);
      solve(LoadMatrix(a, at_a, shape.k * shape.k), &x, at_a);
      StoreMatrix(x, out, i);
    }
  });
}

}  // namespace paddle::lite
