// What the operators on sequences (LoD tensors) have in common.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lite/core/base/errors.h"
#include "lite/core/tensor.h"

namespace paddle::lite {

using Offsets = std::vector<uint64_t>;

// Throws ShapeError unless every level of the LoD starts at 0, never decreases and divides the
// level below it, the last one the tensor's rows.
void CheckLoD(const TensorMeta& meta, std::string_view slot);

// The offsets of the finest sequences in a tensor. Throws ShapeError where it has no LoD or one
// that does not fit its rows.
const Offsets& FinestOffsets(const TensorMeta& meta, std::string_view slot);

// The same for operators that take one level only.
const Offsets& OnlyOffsets(const TensorMeta& meta, std::string_view slot);

inline int64_t SequenceCount(const Offsets& offsets) {
  return static_cast<int64_t>(offsets.size()) - 1;
}

// The elements of one row.
inline int64_t RowSize(const DDim& dims) { return dims.Count(1, dims.size()); }
inline size_t RowBytes(const Tensor& tensor) {
  return static_cast<size_t>(RowSize(tensor.dims())) * SizeOf(tensor.dtype());
}

// Shapes like `dims` with another number of rows.
inline DDim WithRows(DDim dims, int64_t rows) {
  dims[0] = rows;
  return dims;
}

// The integers of an int32 or int64 tensor; throws DataTypeError for other types.
std::vector<int64_t> ReadInts(const Tensor& tensor, std::string_view slot);

// Calls visit(T{}) with the floating type of a tensor; throws DataTypeError for other types.
template <typename Visit>
void VisitFloat(DataType dtype, std::string_view slot, Visit&& visit) {
  if (dtype == DataType::kFP32) return visit(float{});
  if (dtype == DataType::kFP64) return visit(double{});
  throw DataTypeError(StrCat("input ", slot, " is ", Name(dtype), ", expected float32 or float64"));
}

}  // namespace paddle::lite
