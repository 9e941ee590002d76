// Square matrices: factorisations and linear systems, in double precision whatever the tensors are.
#pragma once

#include <cstdint>
#include <vector>

#include "lite/core/base/function_ref.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/matrix/matmul.h"

namespace paddle::lite {

using Matrix = std::vector<double>;  // row-major

// Where an element of a matrix of n columns stands.
inline size_t MatrixIndex(int64_t row, int64_t col, int64_t n) {
  return static_cast<size_t>(row * n + col);
}

// Throws unless the input is floating point of shape [..., n, n].
void RequireSquare(const InferContext& c, const char* slot);

// The matrix of rows x cols that stands at `index` in a tensor of them, and back.
Matrix LoadMatrix(const Tensor& tensor, int64_t index, int64_t count);
void StoreMatrix(const Matrix& matrix, Tensor& tensor, int64_t index);

// P * A = L * U with partial pivoting.
class LuFactors {
 public:
  LuFactors(Matrix a, int64_t n);
  bool singular() const;
  // The determinant's sign (0 where singular) and the logarithm of its absolute value.
  double Sign() const;
  double LogAbsDeterminant() const;
  double Determinant() const;
  // b, of n x cols, becomes A^-1 * b. Throws LiteError that names `index` where A is singular.
  void Solve(Matrix* b, int64_t cols, int64_t index) const;

 private:
  double At(int64_t row, int64_t col) const { return lu_[static_cast<size_t>(row * n_ + col)]; }

  Matrix lu_;
  int64_t n_;
  std::vector<int64_t> order_;  // row i of P * A is row order_[i] of A
  bool odd_ = false;
};

// A^-1; `index` names the matrix in the error.
Matrix Inverted(Matrix a, int64_t n, int64_t index);

// L of a symmetric positive definite A = L * L^T, from its lower triangle (the upper one where
// `upper`, which then holds U = L^T as the result). Throws LiteError that names `index`.
Matrix Cholesky(Matrix a, int64_t n, bool upper, int64_t index);

// b, of n x cols, becomes the solution of A * x = b (A^T * x = b where `transpose`) for a
// triangular A, of whose diagonal `unit` takes ones.
struct Triangle {
  bool upper = false, transpose = false, unit = false;
};
void SolveTriangular(const Matrix& a, int64_t n, const Triangle& triangle, Matrix* b, int64_t cols);

// fn(index) for every matrix of [..., n, n], on threads.
void ForEachMatrix(const KernelContext& c, const DDim& dims, FunctionRef<void(int64_t)> fn);

// Out = the solution b of a system for each of a batch: `solve(a, b, index)` replaces b.
// `shape` is that of the product of the matrices with the right-hand sides.
void SolveBatch(KernelContext& c, const char* matrices, const char* right, const MatMulShape& shape,
                FunctionRef<void(const Matrix&, Matrix*, int64_t)> solve);

}  // namespace paddle::lite
