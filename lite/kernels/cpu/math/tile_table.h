#pragma once

#include <stdint.h>

#include "lite/kernels/cpu/math/halves_table.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

// A tile has 16 rows of 64 bytes: 16 floats, or 32 bf16. On the right a row holds two summands of
// each of 16 columns.
constexpr int64_t kTileHeight = 16, kTileRowBytes = 64, kTileBytes = kTileHeight * kTileRowBytes;
constexpr int64_t kTileDepth = 32;  // summands
constexpr int kTileParts = 3;       // tiles of bf16 that make one of fp32

// Summands whose parts are held at once; more are added to stored sums. Of fp32's blocks 256 to
// 1024 were equally fast.
constexpr int64_t kTileBlockDepth = 512;

// As GemmBlock, without `partial` and `integers`; `b` are tiles: for every panel and run of
// kTileDepth summands those of its vectors, with their parts one after another.
struct TileBlock : GemmBlock {
  char* room = nullptr;  // the rows' parts, then the sums of all summands but the last block's
};

// k x width floats to tiles.
struct TilePanel {
  const float* rows = nullptr;
  int64_t k = 0, width = 0;
  char* tiles = nullptr;
};

struct TileTable {
  void (*run_block)(const TileBlock&);
  void (*pack)(const TilePanel&);
  // Rows in the CPU's own bf16, and bytes. `room` is for the rows as tiles: for every kTileHeight
  // of them one for each 16 words of all segments.
  void (*run_halves)(const HalvesBlock&, char* room);
  void (*run_bytes)(const Int8Block&, char* room);
};

namespace avx512 {
extern const TileTable kTileTable;
}

}  // namespace paddle::lite::math
