// Copies between strided memories: the one engine below all operators that only move data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace paddle::lite::math {

// One loop of a copy: `size` steps of `from` and `to` elements. Negative strides reverse, a `from`
// of 0 repeats.
struct CopyDim {
  int64_t size, from, to;
};

// A nest of loops that copies one element at a time, in any order of loops.
class CopyLoops {
 public:
  static constexpr int kMaxRank = 20;

  // Loops of size 1 are dropped. A negative size throws ShapeError.
  void Add(int64_t size, int64_t from, int64_t to);
  int rank() const { return rank_; }
  const CopyDim& operator[](int i) const { return dims_[i]; }

  // Copies elements of `element_size` bytes (1, 2, 4, 8 or 16). Elements that `to` reaches must be
  // distinct and must not overlap what `from` reaches.
  void Run(const void* from, void* to, size_t element_size, int threads) const;

 private:
  CopyDim dims_[kMaxRank];
  int rank_ = 0;
  bool empty_ = false;
};

// Sets `count` elements of `element_size` bytes to the one at `value`.
void FillElements(void* to, const void* value, size_t element_size, int64_t count, int threads);

}  // namespace paddle::lite::math
