#include "lite/kernels/cpu/math/transpose.h"

#include "lite/kernels/cpu/math/isa/transpose_block.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

LITE_INLINE void Block(const uint32_t* x, int64_t ldx, uint32_t* y, int64_t ldy) {
  TransposeBlock(x, ldx, [=](int i, Row row) { StoreRow(y + i * ldy, row); });
}

// A part that is no multiple of the block: whole blocks, then the edges.
void Part(int64_t rows, int64_t cols, const uint32_t* x, int64_t ldx, uint32_t* y, int64_t ldy) {
  const int64_t full_rows = rows / kBlock * kBlock, full_cols = cols / kBlock * kBlock;
  for (int64_t c = 0; c < full_cols; c += kBlock)
    for (int64_t r = 0; r < full_rows; r += kBlock)
      Block(x + r * ldx + c, ldx, y + c * ldy + r, ldy);
  for (int64_t c = 0; c < full_cols; ++c)
    for (int64_t r = full_rows; r < rows; ++r) y[c * ldy + r] = x[r * ldx + c];
  for (int64_t c = full_cols; c < cols; ++c)
    for (int64_t r = 0; r < rows; ++r) y[c * ldy + r] = x[r * ldx + c];
}

#if defined(__AVX2__)
LITE_INLINE void Triples(Row a, Row b, Row c, uint32_t* y) {
  const Row s0 = LITE_SHUFFLE(a, b, 0, 8, -1, 1, 9, -1, 2, 10);
  const Row s1 = LITE_SHUFFLE(a, b, -1, 3, 11, -1, 4, 12, -1, 5);
  const Row s2 = LITE_SHUFFLE(a, b, 13, -1, 6, 14, -1, 7, 15, -1);
  StoreRow(y, LITE_SHUFFLE(s0, c, 0, 1, 8, 3, 4, 9, 6, 7));
  StoreRow(y + kBlock, LITE_SHUFFLE(s1, c, 10, 1, 2, 11, 4, 5, 12, 7));
  StoreRow(y + 2 * kBlock, LITE_SHUFFLE(s2, c, 0, 13, 2, 3, 14, 5, 6, 15));
}
#else
LITE_INLINE void Triples(Row a, Row b, Row c, uint32_t* y) {
  const Row s0 = LITE_SHUFFLE(a, b, 0, 4, -1, 1);
  const Row s1 = LITE_SHUFFLE(a, b, 5, -1, 2, 6);
  const Row s2 = LITE_SHUFFLE(a, b, -1, 3, 7, -1);
  StoreRow(y, LITE_SHUFFLE(s0, c, 0, 1, 4, 3));
  StoreRow(y + kBlock, LITE_SHUFFLE(s1, c, 0, 5, 2, 3));
  StoreRow(y + 2 * kBlock, LITE_SHUFFLE(s2, c, 6, 1, 2, 7));
}
#endif

// The pixels of a colour image, which every network begins with.
void Interleave(int64_t pixels, const uint32_t* x, int64_t plane, uint32_t* y) {
  int64_t i = 0;
  for (; i + kBlock <= pixels; i += kBlock)
    Triples(LoadRow(x + i), LoadRow(x + plane + i), LoadRow(x + 2 * plane + i), y + 3 * i);
  for (; i < pixels; ++i)
    for (int64_t c = 0; c < 3; ++c) y[3 * i + c] = x[c * plane + i];
}

// Squares of 16 x 16: whole cache lines are read and written while they are near.
void Transpose(int64_t rows, int64_t cols, const uint32_t* x, int64_t ldx, uint32_t* y,
               int64_t ldy) {
  if (rows == 3 && ldy == 3) return Interleave(cols, x, ldx, y);
  constexpr int64_t kTile = 16;
  for (int64_t c = 0; c < cols; c += kTile) {
    const int64_t width = cols - c < kTile ? cols - c : kTile;
    for (int64_t r = 0; r < rows; r += kTile) {
      const int64_t height = rows - r < kTile ? rows - r : kTile;
      Part(height, width, x + r * ldx + c, ldx, y + c * ldy + r, ldy);
    }
  }
}

}  // namespace

extern const TransposeTable kTransposeTable = {Transpose};

}  // namespace paddle::lite::math::LITE_ISA
