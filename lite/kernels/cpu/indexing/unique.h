// Rows of a tensor along an axis, grouped by equality: unique and its relatives.
#pragma once

#include "lite/kernels/cpu/indexing/gather.h"

namespace paddle::lite {

// Group g has its first row at first[g] and counts[g] rows; row i is in group of[i].
struct RowGroups {
  std::vector<int64_t> first, of, counts;
  // The next row, which `starts` a group or belongs to the latest one. `of` is large enough.
  void Add(int64_t row, bool starts);
};
enum class GroupOrder {
  kSorted,       // by value; NaN is the largest and equals itself
  kAppearance,   // by first row
  kConsecutive,  // only neighbours make a group
};

// The rows that `axis` says: none given is all elements, one is the slices along it.
struct RowView {
  RowView(const Tensor& x, const std::vector<int32_t>& axis);
  DDim With(int64_t rows) const;  // X's shape (or that of a list) with so many rows
  DDim dims;
  int axis = 0;
  GatherShape shape;
};

RowGroups GroupRows(const KernelContext& c, const Tensor& x, const RowView& view, GroupOrder order);

// Writes the first row of each group to `out`.
void WriteGroups(const Tensor& x, const RowView& view, const RowGroups& groups, Tensor& out,
                 int threads);
// Writes a list to an output where the operator has it, as int32 or int64.
void WriteIndexes(KernelContext& c, const char* slot, const std::vector<int64_t>& values,
                  DataType dtype);
// The attribute `dtype` of the indexes: int32 or int64; throws DataTypeError for others.
DataType IndexTypeOf(const KernelContext& c);

}  // namespace paddle::lite
