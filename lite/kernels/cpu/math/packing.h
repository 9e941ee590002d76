#pragma once

#include <cstdint>
#include <memory>

#include "lite/core/base/weight_memory.h"
#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// 64-byte aligned floats. Throws std::bad_alloc.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(int64_t count);
  // From the WeightMemory of this thread, if there is one: for what lasts as long as that.
  static AlignedFloats Lasting(int64_t count);
  AlignedFloats(AlignedFloats&& other) noexcept;
  AlignedFloats& operator=(AlignedFloats&& other) noexcept;
  ~AlignedFloats();

  float* data() { return data_; }
  const float* data() const { return data_; }
  int64_t size() const { return size_; }
  // It holds what is to be packed into it already: from a file of packed weights.
  bool packed() const { return packed_; }

 private:
  float* data_ = nullptr;
  int64_t size_ = 0;
  bool packed_ = false;
  std::shared_ptr<void> owner_;  // null: data_ is ours
};

// The right-hand matrix of a product, K x N, as the microkernels read it: panels of a few vectors
// of columns, each K rows long, padded with zeros to whole vectors.
struct PackedMatrix {
  Isa isa = Isa();  // it can only be used with this instruction set
  int64_t k = 0, n = 0;
  bool tiles = false;  // packed for tiles.h
  AlignedFloats data;
};

// Floats that a packed K x N matrix takes.
int64_t PackedFloats(int64_t k, int64_t n);
// Panels that its columns make, and the first column of one.
int64_t PanelCount(int64_t n);
int64_t PanelColumn(int64_t panel, int64_t n);

// The threads, of those at hand, that packing so many floats pays for.
int PackThreads(int threads, int64_t floats);

// b is K x N with row stride ldb, or N x K when `transposed`. Denormals become 0: products with
// them are a hundred times slower. This thread's WeightMemory is told of b's rows as they are
// packed. `rows` of the product that it is packed for, if known, tell in which form.
PackedMatrix PackB(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed,
                   int threads = 1, int64_t rows = 0);

// y[c * ldy + r] = x[r * ldx + c].
void Transpose(int64_t rows, int64_t columns, const float* x, int64_t ldx, float* y, int64_t ldy);

// Packs the panels [first, last) of a matrix into `packed`, which holds all of them. `flush` makes
// denormals 0.
void PackPanels(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed, float* packed,
                int64_t first, int64_t last, bool flush = false);

// Weights whose column o is x[o * ldx], its `channels` x `taps` elements one after another; a
// packed row is a tap's channel. The panels [first, last); denormals become 0.
void PackTaps(int64_t channels, int64_t taps, int64_t n, const float* x, int64_t ldx, float* packed,
              int64_t first, int64_t last);

}  // namespace paddle::lite::math
