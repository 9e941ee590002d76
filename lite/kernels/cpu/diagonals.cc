#include "lite/kernels/cpu/diagonals.h"

#include <algorithm>

namespace paddle::lite {
namespace {

// Strides of the diagonals in the matrices' memory, by the dims of DiagonalDims.
DDim Strides(const DDim& dims, const DiagonalSpec& spec) {
  const DDim strides = RowMajorStrides(dims);
  DDim found;
  for (int i = 0; i < dims.size(); ++i)
    if (i != spec.rows_axis && i != spec.cols_axis) found.push_back(strides[i]);
  found.push_back(strides[spec.rows_axis] + strides[spec.cols_axis]);
  return found;
}

int64_t Start(const DDim& dims, const DiagonalSpec& spec) {
  const DDim strides = RowMajorStrides(dims);
  return spec.offset < 0 ? -spec.offset * strides[spec.rows_axis]
                         : spec.offset * strides[spec.cols_axis];
}

}  // namespace

DiagonalSpec DiagonalOf(int64_t offset, int64_t rows_axis, int64_t cols_axis, int rank) {
  const DiagonalSpec spec{CanonicalAxis(rows_axis, rank, "an axis of the diagonal"),
                          CanonicalAxis(cols_axis, rank, "an axis of the diagonal"), offset};
  if (spec.rows_axis == spec.cols_axis)
    throw ShapeError(StrCat("both axes of the diagonal are ", spec.rows_axis));
  return spec;
}

int64_t DiagonalLength(const DDim& dims, const DiagonalSpec& spec) {
  const int64_t rows = dims[spec.rows_axis], cols = dims[spec.cols_axis];
  const int64_t length =
      spec.offset < 0 ? std::min(rows + spec.offset, cols) : std::min(rows, cols - spec.offset);
  return std::max<int64_t>(length, 0);
}

DDim DiagonalDims(const DDim& dims, const DiagonalSpec& spec) {
  DDim found;
  for (int i = 0; i < dims.size(); ++i)
    if (i != spec.rows_axis && i != spec.cols_axis) found.push_back(dims[i]);
  found.push_back(DiagonalLength(dims, spec));
  return found;
}

void CopyFromDiagonal(const Tensor& matrices, const DiagonalSpec& spec, Tensor& lines,
                      int threads) {
  const DDim& dims = matrices.dims();
  CopyBox(lines.dims(), matrices, Start(dims, spec), Strides(dims, spec), lines, 0,
          RowMajorStrides(lines.dims()), threads);
}

void CopyToDiagonal(const Tensor& lines, const DiagonalSpec& spec, Tensor& matrices, int threads) {
  const DDim dims = matrices.dims();
  CopyBox(DiagonalDims(dims, spec), lines, 0, RowMajorStrides(lines.dims()), matrices,
          Start(dims, spec), Strides(dims, spec), threads);
}

}  // namespace paddle::lite
