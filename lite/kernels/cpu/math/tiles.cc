#include "lite/kernels/cpu/math/tiles.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "lite/core/base/system.h"
#include "lite/core/base/thread_pool.h"
#include "lite/core/base/weight_memory.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/tile_table.h"
#include "lite/kernels/cpu/math/work_split.h"

#if defined(LITE_WITH_TILES)
#include <cpuid.h>
#endif

namespace paddle::lite::math {
namespace {

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

constexpr int64_t kTileFloats = kTileBytes / 4;
constexpr int64_t kVector = 16;  // of AVX-512, which panels are made of
constexpr int64_t kElementBytes = 2 * kTileParts;

std::atomic<const TileTable*> in_use{nullptr};
bool always_used = false;

#if defined(LITE_WITH_TILES)
// The CPU has tiles of bf16 and of bytes, the system saves them, and this process may use them.
bool SystemHasTiles() {
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24, kInt8 = 1u << 25, kOsxsave = 1u << 27;
  constexpr unsigned kAll = kBf16 | kTile | kInt8, kState = 3u << 17;
  unsigned a, b, c, d;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0 || (d & kAll) != kAll) return false;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & kOsxsave) == 0) return false;
  asm volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return (a & kState) == kState && system::AllowTiles();
}

const TileTable* SystemTiles() { return SystemHasTiles() ? &avx512::kTileTable : nullptr; }
#else
const TileTable* SystemTiles() { return nullptr; }
#endif

RowWords WordsOf(const HalvesBlock& g) {
  const int64_t words = (g.length + 1) / 2;
  return {words, 2 * g.length, g.segments * words};
}
RowWords WordsOf(const Int8Block& g) { return {g.words, 4 * g.words, g.segments * g.words}; }

// Cuts rows [begin, end), the first of which is at `data`, in tiles.
void CutInTiles(int64_t begin, int64_t end, const char* data, LeftTiles* to) {
  for (int64_t row = begin; row < end; row += to->height) {
    const int64_t first = std::min(row, end - to->height);
    to->places[to->count++] = {data + (first - begin) * to->row_bytes, first, row - first};
  }
}

// The height of tiles that a run of rows is cut in.
int EvenHeight(int64_t rows) { return static_cast<int>(EvenPart(rows, kTileHeight, 1)); }

// Whether tiles are where the rows are, which are as far apart wherever a tile has them. Some rows
// are multiplied twice then, or tiles are lower than they could be: where that takes 1.4 times as
// long, copies of all rows pay.
bool FindInPlace(const RoundedBlock& g, LeftTiles* to) {
  if (to->row.bytes % kTileRowBytes != 0) return false;
  to->row_bytes = g.row_count > 1 ? g.rows[1] - g.rows[0] : kTileRowBytes;
  const auto run_from = [&](int64_t row) {
    int64_t end = row + 1;
    while (end < g.row_count && g.rows[end] - g.rows[end - 1] == to->row_bytes) ++end;
    return end;
  };
  to->height = EvenHeight(run_from(0));
  const int64_t most = g.row_count + g.row_count * 2 / 5;
  for (int64_t row = 0, end = 0; row < g.row_count; row = end) {
    end = run_from(row);
    const int64_t count = to->count + (end - row + to->height - 1) / to->height;
    const bool fits = end - row >= to->height && count <= LeftTiles::kMost;
    if (!fits || (count - 1) * kTileHeight > most) return to->count = 0, false;
    CutInTiles(row, end, g.rows[row], to);
  }
  to->offsets = g.offsets;
  to->segments = g.segments;
  to->tiles = to->row.bytes / kTileRowBytes;
  return true;
}

// A block in tiles: where its rows are, or in pieces of gathered rows that stay in L2.
template <typename Block>
void RunInPieces(const Block& block, void (*run)(const Block&, const LeftTiles&)) {
  constexpr int64_t kPieceBytes = 512 * 1024, kNoOffset = 0;
  LeftTiles left;
  left.row = WordsOf(block);
  left.near_bytes = L1CacheBytes();
  if (FindInPlace(block, &left)) return run(block, left);
  const int64_t bytes = left.row.all * 4, rows = block.row_count;
  left.offsets = &kNoOffset;
  left.segments = 1;
  left.tiles = bytes / kTileRowBytes;
  // An odd number of lines: rows of a tile fall on different ones of L1.
  left.row_bytes = RoundUp(bytes, kTileRowBytes) | kTileRowBytes;
  // Every piece reads all weights.
  const int64_t fitting = BytesInL2(kPieceBytes) / left.row_bytes;
  const int64_t most = std::max(fitting / kTileRows, int64_t{2}) * kTileRows;
  const int64_t piece = EvenPart(rows, most, kTileRows);
  left.room = static_cast<char*>(ThreadScratch(
      static_cast<size_t>(std::min(piece, rows) * left.row_bytes + kTileRowBytes), kScratchBlock));
  for (int64_t row = 0; row < rows; row += piece) {
    Block some = block;
    some.rows += row;
    some.row_count = std::min(piece, rows - row);
    if (block.bytes != nullptr)
      some.bytes += row * block.ldc;
    else
      some.c += row * block.ldc;
    some.first_row += row;
    left.height = EvenHeight(some.row_count);
    left.count = 0;
    CutInTiles(0, some.row_count, left.room, &left);
    run(some, left);
  }
}

// A small product with every kind of edge against its definition. Nothing here may ask for
// ActiveIsa(), which waits for the answer.
bool FirstProductIsRight(const TileTable& table) {
  constexpr int64_t kM = 18, kN = 40, kWidth = 48, kK = kTileBlockDepth + 37;
  // All 24 bits of the numbers count.
  const auto number = [](int64_t i) {
    return static_cast<float>(i * 7919 % 16777213 - 8388606) / 8388608;
  };
  std::vector<float> a(kM * kK), b(kK * kWidth), c(kM * kN, -1);
  for (int64_t i = 0; i < kM * kK; ++i) a[i] = number(i);
  for (int64_t p = 0; p < kK; ++p)
    for (int64_t j = 0; j < kN; ++j) b[p * kWidth + j] = number(p * kN + j + 1000003);
  AlignedFloats tiles(RoundUp(kK, kTileDepth) / kTileDepth * kWidth / kVector * kTileParts *
                      kTileFloats);
  AlignedFloats room(TileRoom(kM, kWidth, kK));
  table.pack({b.data(), kK, kWidth, reinterpret_cast<char*>(tiles.data())});
  const float* rows[kM];
  for (int64_t r = 0; r < kM; ++r) rows[r] = a.data() + r * kK;
  const int64_t offset = 0;
  const Epilogue none;
  TileBlock block;
  block.rows = rows, block.row_count = kM;
  block.offsets = &offset, block.segments = 1, block.length = kK;
  block.b = tiles.data();
  block.columns = kN, block.last_panel = 1;
  block.c = c.data(), block.ldc = kN;
  block.epilogue = &none;
  block.room = reinterpret_cast<char*>(room.data());
  table.run_block(block);
  for (int64_t r = 0; r < kM; ++r)
    for (int64_t j = 0; j < kN; ++j) {
      double sum = 0, size = 0;
      for (int64_t p = 0; p < kK; ++p) {
        const double product = static_cast<double>(a[r * kK + p]) * b[p * kWidth + j];
        sum += product, size += std::fabs(product);
      }
      // Far above fp32's rounding, far below what a lost part or summand makes.
      if (!(std::fabs(c[r * kN + j] - sum) <= 1e-6 * size)) return false;
    }
  return true;
}

// The same of words, whose sums are exact: of two bf16, or of four bytes.
bool FirstWordsAreRight(const TileTable& table, bool bytes) {
  constexpr int64_t kM = 18, kN = 40, kWidth = 48, kSegments = 2, kWords = 19;
  constexpr int64_t kAll = kSegments * kWords, kOffsets[] = {0, kWords * 4};
  const int64_t summands = bytes ? 4 : 2;
  const auto left = [](int64_t r, int64_t k) { return (r * 7919 + k * 31) % 251; };
  const auto right = [](int64_t k, int64_t j) { return (k * 6151 + j * 37) % 251 - 125; };
  const auto word = [&](auto&& value) {
    uint32_t all = 0;
    for (int64_t i = 0; i < summands; ++i) {
      const auto real = static_cast<float>(value(i));
      uint32_t bits = static_cast<uint8_t>(value(i));
      if (!bytes) std::memcpy(&bits, &real, sizeof(bits)), bits >>= 16;
      all |= bits << (32 / summands * i);
    }
    return all;
  };
  std::vector<uint32_t> a(kM * kAll), b(kAll * kWidth);
  const char* rows[kM];
  for (int64_t r = 0; r < kM; ++r) {
    rows[r] = reinterpret_cast<const char*>(&a[r * kAll]);
    for (int64_t w = 0; w < kAll; ++w)
      a[r * kAll + w] = word([&](int64_t i) { return left(r, w * summands + i); });
  }
  for (int64_t w = 0; w < kAll; ++w)
    for (int64_t j = 0; j < kN; ++j)
      b[w * kWidth + j] = word([&](int64_t i) { return right(w * summands + i, j); });
  const std::vector<int32_t> start(kWidth, -77);
  const std::vector<float> scales(kWidth, 1);
  std::vector<float> c(kM * kN, -1);
  const Epilogue none;
  RoundedBlock block;
  block.rows = rows, block.row_count = kM;
  block.offsets = kOffsets, block.segments = kSegments;
  block.columns = kN, block.last_panel = 1;
  block.c = c.data(), block.ldc = kN;
  block.epilogue = &none;
  if (bytes) {
    Int8Block g{block};
    g.words = kWords, g.quads = true;
    g.b = reinterpret_cast<const int8_t*>(b.data());
    g.start = start.data(), g.scales = scales.data();
    RunInPieces(g, table.run_bytes);
  } else {
    HalvesBlock g{block};
    g.length = 2 * kWords, g.native = true;
    g.b = b.data();
    RunInPieces(g, table.run_halves);
  }
  for (int64_t r = 0; r < kM; ++r)
    for (int64_t j = 0; j < kN; ++j) {
      int64_t sum = bytes ? start[0] : 0;
      for (int64_t k = 0; k < kAll * summands; ++k) sum += left(r, k) * right(k, j);
      if (c[r * kN + j] != static_cast<float>(sum)) return false;
    }
  return true;
}

}  // namespace

void UseTiles(const TileTable* table, bool always) {
  in_use = table;
  always_used = always;
}

bool TilesWork() {
  if (in_use == nullptr) in_use = SystemTiles();
  const TileTable* table = in_use;
  if (table == nullptr) return false;
  if (FirstProductIsRight(*table) && FirstWordsAreRight(*table, false) &&
      FirstWordsAreRight(*table, true))
    return true;
  std::fputs("lite: AMX is not used: a first product of its tiles is wrong on this machine\n",
             stderr);
  return false;
}

double VectorCycles(int64_t rows, int64_t n, int64_t k) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  return static_cast<double>(rows * k) * static_cast<double>(RoundUp(n, width)) /
         static_cast<double>(2 * width);
}

double TileCycles(int64_t rows, int64_t n, int64_t k) {
  // Fitted to 29 products on a core of Granite Rapids: for whole tiles, for splitting a number of
  // A, and for finishing one of C.
  constexpr double kTiles = 1.0 / 70, kSplit = 0.45, kFinish = 0.32;
  const auto whole = [](int64_t value, int64_t unit) {
    return static_cast<double>(RoundUp(value, unit));
  };
  return whole(rows, kTileHeight) * whole(n, kVector) * whole(k, kTileDepth) * kTiles +
         static_cast<double>(rows) *
             (static_cast<double>(k) * kSplit + static_cast<double>(n) * kFinish) +
         WeightCycles(n, k, kElementBytes);
}

double WeightCycles(int64_t n, int64_t k, int64_t bytes) {
  return static_cast<double>(n * k * bytes) / kWeightBytesPerCycle;
}

bool TilesPay(int64_t rows, int64_t n, int64_t k) {
#if defined(__x86_64__)
  if (ActiveIsa() < Isa::kAmx || rows <= 0 || n <= 0 || k <= 0) return false;
  if (CurrentPrecision() == WeightPrecision::kExact) return false;
  if (always_used) return true;
  // Vectors' weights come meanwhile.
  const double vectors = std::max(VectorCycles(rows, n, k), WeightCycles(n, k, 4));
  constexpr double kGain = 0.85;  // else the smaller weights
  return TileCycles(rows, n, k) < kGain * vectors;
#else
  (void)rows, (void)n, (void)k;
  return false;
#endif
}

int64_t TileFloats(int64_t k, int64_t n) {
  return RoundUp(k, kTileDepth) / kTileDepth * (RoundUp(n, kVector) / kVector) * kTileParts *
         kTileFloats;
}

void PackTilePanel(int64_t k, int64_t n, int64_t panel, const float* rows, float* tiles) {
  const int64_t first = PanelColumn(panel, n), end = PanelColumn(panel + 1, n);
  in_use.load()->pack({rows, k, RoundUp(end - first, kVector),
                       reinterpret_cast<char*>(tiles + TileFloats(k, first))});
}

void PackTileRun(int64_t k, int64_t n, int64_t panel, int64_t first, const float* rows,
                 float* tiles) {
  const int64_t begin = PanelColumn(panel, n);
  const int64_t width = RoundUp(PanelColumn(panel + 1, n) - begin, kVector);
  float* const to = tiles + TileFloats(k, begin) + TileFloats(first, width);
  in_use.load()->pack({rows, std::min(kTileDepth, k - first), width, reinterpret_cast<char*>(to)});
}

int64_t TileBlockRows(int64_t k) {
  // A block's parts stay in L2 beside the panels.
  constexpr int64_t kBlockBytes = 800 * 1024;
  const int64_t depth = std::clamp<int64_t>(RoundUp(k, kTileDepth), kTileDepth, kTileBlockDepth);
  const int64_t rows = BytesInL2(kBlockBytes) / (kElementBytes * depth);
  return std::max(std::min(rows, kMaxBlockRows) / kTileRows * kTileRows, kTileRows);
}

int64_t TileRoom(int64_t rows, int64_t n, int64_t k) {
  const int64_t depth = std::min(RoundUp(k, kTileDepth), kTileBlockDepth);
  const int64_t padded = RoundUp(rows, kTileHeight);
  return padded * depth * kElementBytes / 4 + (k > depth ? padded * RoundUp(n, kVector) : 0);
}

bool TilesMultiplyWords() {
#if defined(__x86_64__)
  return ActiveIsa() >= Isa::kAmx;
#else
  return false;
#endif
}

bool TilesPayForBytes(int64_t columns, int64_t segments, int64_t words) {
  if (!TilesMultiplyWords()) return false;
  if (always_used) return true;
  // Cycles of a row, fitted to 40 convolutions on a core of Emerald Rapids: for two vectors of
  // columns and a tile's words of them, for a line of a row that is gathered, for a vector's word.
  constexpr double kColumns = 4, kTile = 7, kLine = 4.5, kWord = 0.55;
  const auto units = [](int64_t value, int64_t unit) {
    return static_cast<double>((value + unit - 1) / unit);
  };
  constexpr int64_t kWordsOfTile = kTileRowBytes / 4;
  const double vectors = units(columns, kVector), tiles = units(segments * words, kWordsOfTile);
  const bool gathers = words % kWordsOfTile != 0;
  const auto lines = static_cast<double>(gathers ? segments : 0) * units(words, kWordsOfTile);
  return vectors / 2 * (kColumns + kTile * tiles) + kLine * lines <
         kWord * vectors * static_cast<double>(segments * words);
}

void RunInTiles(const HalvesBlock& block) { RunInPieces(block, in_use.load()->run_halves); }

void RunInTiles(const Int8Block& block) { RunInPieces(block, in_use.load()->run_bytes); }

void RunTileBlock(const GemmBlock& block, float* room) {
  TileBlock tiles{block};
  tiles.room = reinterpret_cast<char*>(room);
  in_use.load()->run_block(tiles);
}

}  // namespace paddle::lite::math
