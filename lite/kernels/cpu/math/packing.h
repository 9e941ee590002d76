#pragma once

#include <cstddef>
#include <cstdint>

#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math {

// 64-byte aligned floats. Throws std::bad_alloc.
class AlignedFloats {
 public:
  AlignedFloats() = default;
  explicit AlignedFloats(int64_t count);
  AlignedFloats(AlignedFloats&& other) noexcept;
  AlignedFloats& operator=(AlignedFloats&& other) noexcept;
  ~AlignedFloats();

  float* data() { return data_; }
  const float* data() const { return data_; }
  int64_t size() const { return size_; }

 private:
  float* data_ = nullptr;
  int64_t size_ = 0;
};

// The right-hand matrix of a product, K x N, as the microkernels read it: panels of a few vectors
// of columns, each K rows long, padded with zeros to whole vectors.
struct PackedMatrix {
  Isa isa = Isa::kBaseline;  // it can only be used with this instruction set
  int64_t k = 0, n = 0;
  AlignedFloats data;
};

// Floats that a packed K x N matrix takes.
int64_t PackedFloats(int64_t k, int64_t n);
// Panels that its columns make, and the first column of one.
int64_t PanelCount(int64_t n);
int64_t PanelColumn(int64_t panel, int64_t n);

// b is K x N with row stride ldb, or N x K when `transposed`.
PackedMatrix PackB(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed);

// y[c * ldy + r] = x[r * ldx + c].
void Transpose(int64_t rows, int64_t columns, const float* x, int64_t ldx, float* y, int64_t ldy);

// Packs the panels [first, last) of a matrix into `packed`, which holds all of them.
void PackPanels(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed, float* packed,
                int64_t first, int64_t last);

}  // namespace paddle::lite::math
