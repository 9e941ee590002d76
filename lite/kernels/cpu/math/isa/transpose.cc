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

// Squares of 16 x 16: whole cache lines are read and written while they are near.
void Transpose(int64_t rows, int64_t cols, const uint32_t* x, int64_t ldx, uint32_t* y,
               int64_t ldy) {
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
