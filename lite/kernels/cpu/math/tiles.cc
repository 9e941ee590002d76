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
  AlignedFloats room(RoundUp(kM, kTileHeight) * RoundUp(kAll, kTileRowBytes / 4));
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
    table.run_bytes(g, reinterpret_cast<char*>(room.data()));
  } else {
    HalvesBlock g{block};
    g.length = 2 * kWords, g.native = true;
    g.b = b.data();
    table.run_halves(g, reinterpret_cast<char*>(room.data()));
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

namespace {

// A block in pieces whose rows stay in L2 as tiles. A word has 4 bytes, a row `words` of them.
template <typename Block>
void RunPieces(Block block, int64_t words, void (*run)(const Block&, char*)) {
  constexpr int64_t kPieceBytes = 512 * 1024, kWordsOfTile = kTileRowBytes / 4;
  const int64_t row_bytes = RoundUp(words, kWordsOfTile) * 4, rows = block.row_count;
  const int64_t fitting = BytesInL2(kPieceBytes) / std::max<int64_t>(row_bytes, 1);
  // Every piece reads all weights.
  const int64_t most = std::max(fitting / kTileRows, int64_t{2}) * kTileRows;
  const int64_t piece = EvenPart(rows, most, kTileRows);
  auto* const room = static_cast<char*>(ThreadScratch(
      static_cast<size_t>(std::min(piece, RoundUp(rows, kTileHeight)) * row_bytes), kScratchBlock));
  for (int64_t row = 0; row < rows; row += piece) {
    Block some = block;
    some.rows += row;
    some.row_count = std::min(piece, rows - row);
    if (block.bytes != nullptr)
      some.bytes += row * block.ldc;
    else
      some.c += row * block.ldc;
    some.first_row += row;
    run(some, room);
  }
}

}  // namespace

void RunInTiles(const HalvesBlock& block) {
  RunPieces(block, block.segments * ((block.length + 1) / 2), in_use.load()->run_halves);
}

void RunInTiles(const Int8Block& block) {
  RunPieces(block, block.segments * block.words, in_use.load()->run_bytes);
}

void RunTileBlock(const GemmBlock& block, float* room) {
  TileBlock tiles{block};
  tiles.room = reinterpret_cast<char*>(room);
  in_use.load()->run_block(tiles);
}

}  // namespace paddle::lite::math
