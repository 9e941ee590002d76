// Rows of a table by index.
#pragma once

#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

// Throws ShapeError unless `dtype` can be an index.
void RequireIndexType(DataType dtype, const char* slot);

// out[o, i, :] = x[o, index[i], :] for x[outer][rows][inner]. Where index[i] is `zero_row`, the row
// becomes 0. Throws ShapeError for an index outside [0, rows).
struct GatherShape {
  int64_t outer = 1, rows = 1, inner = 1;
  int64_t zero_row = -1;
};
void GatherRows(const Tensor& x, const Tensor& index, const char* slot, const GatherShape& shape,
                Tensor& out, int threads);

// What gather_nd makes of X: the rows of Index, then what a row leaves of X's dims.
// Throws a LiteError unless Index is an index of X.
DDim GatheredNdDims(const DDim& x, const TensorMeta& index);

// The first element (by position in X) of the part that each row of Index names; indexes
// count from the end where they are negative. Throws ShapeError for one outside X.
std::vector<int64_t> NdPositions(const DDim& x, const Tensor& index);

}  // namespace paddle::lite
