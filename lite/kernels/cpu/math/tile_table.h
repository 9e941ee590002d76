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

// A rounded row's words, of 4 bytes.
struct RowWords {
  int64_t words = 0, bytes = 0;  // of a segment; of those words in use
  int64_t all = 0;               // words of all segments
};

// The left-hand tiles of rounded rows, all of one height: where the rows are, or gathered.
struct LeftTiles {
  struct Place {
    const char* data;
    int64_t row;   // of the block
    int64_t done;  // rows that are the last ones of the tile before, too
  };
  static constexpr int64_t kMost = 2 * kMaxBlockRows / kTileHeight;

  RowWords row;
  Place places[kMost];
  int64_t count = 0;
  int height = 0;
  int64_t row_bytes = 0;  // from one row to the next
  const int64_t* offsets = nullptr;
  int64_t segments = 0, tiles = 0;  // whole tiles of a segment, which follow each other
  char* room = nullptr;             // not null: the rows are to be gathered there first
  int64_t near_bytes = 0;           // of the nearest cache
};

struct TileTable {
  void (*run_block)(const TileBlock&);
  void (*pack)(const TilePanel&);
  // Rows in the CPU's own bf16, and bytes.
  void (*run_halves)(const HalvesBlock&, const LeftTiles&);
  void (*run_bytes)(const Int8Block&, const LeftTiles&);
};

namespace avx512 {
extern const TileTable kTileTable;
}

}  // namespace paddle::lite::math
