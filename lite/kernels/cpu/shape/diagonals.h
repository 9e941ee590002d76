// Diagonals of matrices: diag_v2, diag_embed, diagonal, eye, fill_diagonal_tensor.
#pragma once

#include "lite/kernels/cpu/creation/fill.h"

namespace paddle::lite {

// Which diagonal of which two axes: `offset` columns right of the main one (below it if negative).
struct DiagonalSpec {
  int rows_axis = 0, cols_axis = 1;
  int64_t offset = 0;
};

// The axes as attributes give them; throws ShapeError unless they are two of `rank`.
DiagonalSpec DiagonalOf(int64_t offset, int64_t rows_axis, int64_t cols_axis, int rank);

int64_t DiagonalLength(const DDim& dims, const DiagonalSpec& spec);
// The other dims, then the diagonal's length.
DDim DiagonalDims(const DDim& dims, const DiagonalSpec& spec);
// Copies the diagonals of `matrices` to `lines` (of DiagonalDims), or the other way round.
void CopyFromDiagonal(const Tensor& matrices, const DiagonalSpec& spec, Tensor& lines, int threads);
void CopyToDiagonal(const Tensor& lines, const DiagonalSpec& spec, Tensor& matrices, int threads);

}  // namespace paddle::lite
