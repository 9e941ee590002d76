#include "lite/kernels/control_flow/rank_table.h"

#include <algorithm>
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {

int64_t RankTable::Running(int64_t step) const {
  const auto shorter = [step](const Item& item) { return item.length <= step; };
  return std::find_if(items.begin(), items.end(), shorter) - items.begin();
}

RankTable ReadRankTable(const KernelContext& c, std::string_view slot) {
  const Tensor& tensor = TensorInput(c, slot);
  const DDim& dims = tensor.dims();
  if (tensor.dtype() != DataType::kInt64 || dims.size() != 2 || dims[1] != 2)
    throw ShapeError(StrCat("input ", slot, " is ", Name(tensor.dtype()), " of shape ", dims,
                            ", expected what lod_rank_table writes, int64 of [sequences, 2]"));
  RankTable table;
  table.coarse = tensor.lod();
  const auto* numbers = tensor.data<int64_t>();
  std::vector<bool> seen(static_cast<size_t>(dims[0]));
  for (int64_t i = 0; i < dims[0]; ++i) {
    const RankTable::Item item{numbers[2 * i], numbers[2 * i + 1]};
    const bool known = item.index >= 0 && item.index < dims[0];
    if (!known || seen[static_cast<size_t>(item.index)] || item.length < 0 ||
        (i > 0 && item.length > table.items.back().length))
      throw ShapeError(StrCat("row ", i, " of input ", slot, " is (", item.index, ", ", item.length,
                              "), expected each sequence once, the longest first"));
    seen[static_cast<size_t>(item.index)] = true;
    table.items.push_back(item);
  }
  return table;
}

Rows RowsOf(const LoD& lod, size_t level, int64_t begin, int64_t end) {
  Rows rows{begin, end, {}};
  for (; level < lod.size(); ++level) {
    const Offsets& offsets = lod[level];
    const auto first = static_cast<size_t>(rows.begin), last = static_cast<size_t>(rows.end);
    if (last >= offsets.size())
      throw ShapeError(StrCat("sequence ", last, " is read of level ", level,
                              " of a LoD, which has ", offsets.size() - 1));
    Offsets& lengths = rows.lengths.emplace_back();
    for (size_t i = first; i < last; ++i) lengths.push_back(offsets[i + 1] - offsets[i]);
    rows.begin = static_cast<int64_t>(offsets[first]);
    rows.end = static_cast<int64_t>(offsets[last]);
  }
  return rows;
}

void Joined::Add(const Tensor& from, const Rows& rows) {
  if (from.dims().empty() || rows.end > from.dims()[0])
    throw ShapeError(StrCat("row ", rows.end - 1, " is read of a tensor of shape ", from.dims()));
  if (parts_.empty()) lod_.assign(rows.lengths.size(), Offsets{0});
  const Tensor& first = parts_.empty() ? from : *parts_[0].from;
  if (from.dtype() != first.dtype() || rows.lengths.size() != lod_.size() ||
      from.dims() != WithRows(first.dims(), from.dims()[0]))
    throw ShapeError(StrCat("a tensor is ", Name(from.dtype()), " of shape ", from.dims(),
                            ", which differs from the first, ", Name(first.dtype()), " of shape ",
                            first.dims(), ", in more than rows"));
  for (size_t level = 0; level < lod_.size(); ++level)
    for (const uint64_t length : rows.lengths[level])
      lod_[level].push_back(lod_[level].back() + length);
  parts_.push_back({&from, rows.begin, rows.end});
  rows_ += rows.end - rows.begin;
}

void Joined::Write(LoD above, Tensor* out) const {
  if (parts_.empty()) throw ShapeError("there are no sequences: their shape is not known");
  const Tensor& first = *parts_[0].from;
  const size_t row = RowBytes(first);
  out->Allocate(WithRows(first.dims(), rows_), first.dtype());
  auto* to = static_cast<char*>(out->raw_data());
  for (const Part& part : parts_) {
    const size_t bytes = static_cast<size_t>(part.end - part.begin) * row;
    if (bytes == 0) continue;
    const auto* from = static_cast<const char*>(part.from->raw_data());
    std::memcpy(to, from + static_cast<size_t>(part.begin) * row, bytes);
    to += bytes;
  }
  above.insert(above.end(), lod_.begin(), lod_.end());
  out->set_lod(std::move(above));
}

}  // namespace paddle::lite
