// RankTable: sequences from the longest to the shortest, as Paddle 1's DynamicRNN takes them, so
// that those that still run are always the first ones of a batch.
#pragma once

#include <string_view>
#include <vector>

#include "lite/core/kernel.h"

namespace paddle::lite {

struct RankTable {
  struct Item {
    int64_t index;  // of the sequence in the tensor that the table was made of
    int64_t length;
  };
  std::vector<Item> items;
  LoD coarse;  // the levels above those sequences

  int64_t count() const { return static_cast<int64_t>(items.size()); }
  // The length of the longest.
  int64_t steps() const { return items.empty() ? 0 : items[0].length; }
  // Sequences with more than `step` parts, which are the first ones.
  int64_t Running(int64_t step) const;
};

// What lod_rank_table wrote: int64 [sequences, 2]; throws where an input is something else.
RankTable ReadRankTable(const KernelContext& c, std::string_view slot);

// A part of a tensor of sequences: rows, and the lengths of the sequences in it, level by level.
struct Rows {
  int64_t begin, end;
  LoD lengths;
};

// What [begin, end) of a level are; a level that `lod` does not have: the rows themselves.
Rows RowsOf(const LoD& lod, size_t level, int64_t begin, int64_t end);

// Puts the parts of tensors one behind the other, which may differ in rows only.
class Joined {
 public:
  void Add(const Tensor& from, const Rows& rows);
  // Writes them with the levels of `above`, then those of the parts.
  void Write(LoD above, Tensor* out) const;

 private:
  struct Part {
    const Tensor* from;
    int64_t begin, end;
  };
  std::vector<Part> parts_;
  LoD lod_;
  int64_t rows_ = 0;
};

}  // namespace paddle::lite
