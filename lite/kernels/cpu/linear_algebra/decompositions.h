// Decompositions of matrices in double precision: eigenvalues, singular values, Q and R.
#pragma once

#include <cstdint>
#include <vector>

#include "lite/kernels/cpu/linear_algebra/linear_algebra.h"

namespace paddle::lite {

// Throws unless the input is floating point of shape [..., m, n].
void RequireMatrices(const InferContext& c, const char* slot);

// Throws LiteError that names `index` unless all numbers are finite.
void RequireFinite(const Matrix& a, int64_t index);

// The dims in front of the matrices, followed by `last`.
DDim BatchDims(const DDim& dims, std::initializer_list<int64_t> last);

// Ascending eigenvalues of a symmetric matrix, of which the lower triangle counts (the upper one
// where `upper`), and where `vectors` is not null the eigenvectors as its columns.
std::vector<double> SymmetricEigen(Matrix a, int64_t n, bool upper, Matrix* vectors);

// A = U * diag(s) * V^T, s descending, U of m x k and V of n x k for k = min(m, n).
struct Singular {
  std::vector<double> s;
  Matrix u, v;
};
Singular SingularValues(const Matrix& a, int64_t m, int64_t n);

// The orthonormal columns of a (rows x have) and as many more as make it rows x `want`.
Matrix WithMoreColumns(const Matrix& a, int64_t rows, int64_t have, int64_t want);

// A = Q * R of m x n by Householder's reflections; signs are LAPACK's. R takes the place of a,
// zeros below its diagonal; Q is m x `columns`, which is at least min(m, n) or 0.
Matrix FactorQr(Matrix* a, int64_t m, int64_t n, int64_t columns);

// P * A = L * U of m x n in place of a, with partial pivoting. pivots[i] is the row that row i was
// exchanged with, from 1 on; the result is the first zero on U's diagonal from 1 on, 0 for none.
int32_t FactorLu(Matrix* a, int64_t m, int64_t n, int32_t* pivots);

}  // namespace paddle::lite
