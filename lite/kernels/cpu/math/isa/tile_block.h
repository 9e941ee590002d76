#pragma once

// What products in tiles share: two tiles of rows times two of columns at most.

#include "lite/kernels/cpu/math/isa/finish_sums.h"
#include "lite/kernels/cpu/math/isa/tile_instructions.h"
#include "lite/kernels/cpu/math/tile_table.h"

namespace paddle::lite::math::LITE_ISA {

// Tiles of sums [row][column], of rows and of columns.
constexpr int kSums = 0, kLeft = 4, kRight = 6;

// Of two tiles, which are multiplied at a time.
constexpr int kPairRows = 2 * kTileHeight;

// The tiles of this thread, for as long as this lives.
class Tiles {
 public:
  ~Tiles() { TileRelease(); }

  // For so many rows of the first tile of sums and of the second.
  void Shape(int first, int second) {
    if (first == first_ && second == second_) return;
    first_ = first, second_ = second;
    TileShapes shapes;
    const auto set = [&](int tile, int height) {
      shapes.rows[tile] = static_cast<uint8_t>(height);
      shapes.row_bytes[tile] = height > 0 ? kTileRowBytes : 0;
    };
    for (int i = 0; i < 2; ++i) {
      set(kSums + i, first);
      set(kSums + 2 + i, second);
      set(kRight + i, kTileHeight);
    }
    set(kLeft, first);
    set(kLeft + 1, second);
    TileConfigure(shapes);
  }

 private:
  int first_ = 0, second_ = 0;
};

// What a word of 4 bytes holds: two bf16, whose sums are fp32, or four bytes, those on the left
// without sign, whose sums are int32.
struct Bf16 {
  static constexpr bool kIntegers = false;
  template <int sum, int left, int right>
  LITE_INLINE void Multiply() {
    TileMultiply<sum, left, right>();
  }
};
struct Bytes {
  static constexpr bool kIntegers = true;
  template <int sum, int left, int right>
  LITE_INLINE void Multiply() {
    TileMultiplyBytes<sum, left, right>();
  }
};

template <typename Word, bool two_rows, bool two_columns>
LITE_INLINE void MultiplyTiles() {
  Word::template Multiply<kSums, kLeft, kRight>();
  if constexpr (two_columns) Word::template Multiply<kSums + 1, kLeft, kRight + 1>();
  if constexpr (two_rows) Word::template Multiply<kSums + 2, kLeft + 1, kRight>();
  if constexpr (two_rows && two_columns)
    Word::template Multiply<kSums + 3, kLeft + 1, kRight + 1>();
}

// Some lines of each step of a panel, to be asked for.
struct PanelShare {
  const char* data = nullptr;  // null: nothing
  int64_t bytes = 0;
};

// Every pair of tiles of rows asks for a part of the panel that is next: memory has all their time.
LITE_INLINE PanelShare ShareOfNext(const char* next, int64_t step_bytes, int64_t row,
                                   int64_t row_count) {
  const int64_t pairs = (row_count + kPairRows - 1) / kPairRows, lines = step_bytes / kTileRowBytes;
  const int64_t share = (lines + pairs - 1) / pairs, first = row / kPairRows * share;
  if (next == nullptr || first >= lines) return {};
  return {next + first * kTileRowBytes,
          (lines - first < share ? lines - first : share) * kTileRowBytes};
}

// Of the step that begins `offset` bytes behind the first.
LITE_INLINE void AskFor(const PanelShare& share, int64_t offset) {
  for (int64_t line = 0; line < share.bytes; line += kTileRowBytes)
    PrefetchL2(reinterpret_cast<const float*>(share.data + offset + line));
}

// To rows `stride` bytes apart.
template <bool two_rows, bool two_columns>
LITE_INLINE void StoreSums(float* sums, int64_t stride) {
  float* const below = sums + kTileHeight * stride / 4;
  TileStore<kSums>(sums, stride);
  if constexpr (two_columns) TileStore<kSums + 1>(sums + kW, stride);
  if constexpr (two_rows) TileStore<kSums + 2>(below, stride);
  if constexpr (two_rows && two_columns) TileStore<kSums + 3>(below + kW, stride);
}

}  // namespace paddle::lite::math::LITE_ISA
