// Products on the CPU's tiles (AMX): of bf16, of bytes, and of fp32. There a number is the sum of
// three bf16; of the nine products of two such sums the six largest are added, in fp32: what is
// left out is below half an ulp of a product. Inf, NaN and overflow are as in fp32. Numbers under
// 2^-110 lose digits.
#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/halves_table.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite::math {

struct TileTable;

// Whether tiles are there, the system lets this process use them and a first product of theirs is
// right; one that is not is told to stderr.
bool TilesWork();

// For tests, before the first call of ActiveIsa(): other tiles than the CPU's, if `table` is not
// null, and for products of every size if `always`.
void UseTiles(const TileTable* table, bool always);

// Cycles of a core for a product with constant weights: in vectors; in tiles, with the waiting for
// the weights; and for reading weights that are in none of its own caches.
double VectorCycles(int64_t rows, int64_t n, int64_t k);
double TileCycles(int64_t rows, int64_t n, int64_t k);
double WeightCycles(int64_t n, int64_t k, int64_t bytes);

// Whether such a product takes less time in tiles than in vectors.
bool TilesPay(int64_t rows, int64_t n, int64_t k);

// Floats that a k x n matrix takes as tiles.
int64_t TileFloats(int64_t k, int64_t n);

// A panel of columns (PanelCount), k packed rows of them, to its place among the tiles of k x n.
void PackTilePanel(int64_t k, int64_t n, int64_t panel, const float* rows, float* tiles);

// Of such a panel the kTileDepth rows (tile_table.h) from `first` on, or what is left of them.
void PackTileRun(int64_t k, int64_t n, int64_t panel, int64_t first, const float* rows,
                 float* tiles);

// Rows of A that are worked on together: a multiple of kTileRows.
constexpr int64_t kTileRows = 32;
int64_t TileBlockRows(int64_t k);

// Floats of scratch that blocks of so many rows need.
int64_t TileRoom(int64_t rows, int64_t n, int64_t k);

// `block` with weights in tiles and scratch of TileRoom().
void RunTileBlock(const GemmBlock& block, float* room);

// Whether there are tiles for products of rounded rows: of bf16 they are faster than vectors.
bool TilesMultiplyWords();

// Whether tiles take less time for bytes, too, of which vectors multiply some as fast: `words` of
// four in each segment.
bool TilesPayForBytes(int64_t columns, int64_t segments, int64_t words);

// As the tables' run_block, in tiles: of bf16 in the CPU's own arithmetic, and of bytes.
void RunInTiles(const HalvesBlock& block);
void RunInTiles(const Int8Block& block);

}  // namespace paddle::lite::math
