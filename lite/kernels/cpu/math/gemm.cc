#include "lite/kernels/cpu/math/gemm.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/integer_weights.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// A block of rows of A should stay in L2 beside the panels.
constexpr int64_t kBlockBytes = 400 * 1024;

// Rows that a microkernel of the right-hand side's form takes.
int64_t RowUnit(bool tiles) { return tiles ? kTileRows : LITE_ISA_PICK(kGemmTable).panel_rows; }

// Of a block of a product of `rows` rows.
int64_t BlockRows(int64_t rows, int64_t k, bool tiles) {
  const int64_t unit = RowUnit(tiles);
  if (rows <= unit) return unit;  // divisions take longer than such a product may
  if (tiles) return RowsOfBlock(rows, TileBlockRows(k), unit);
  const int64_t fitting = BytesInL2(kBlockBytes) / 4 / std::clamp<int64_t>(k, 1, 512);
  return RowsOfBlock(rows, std::max(std::min(fitting, kMaxBlockRows) / unit * unit, unit), unit);
}

// The right-hand side: floats, perhaps in tiles, or integers and their scales.
struct Right {
  const float* floats = nullptr;
  bool tiles = false;
  const int8_t* integers = nullptr;
  const float* scales = nullptr;
  const IntegerGroups* groups = nullptr;
};

// The panel of a right-hand side with k rows that begins with a column, to ask for.
const float* NextPanel(const Right& b, int64_t k, int64_t column) {
  const int64_t rows = b.groups == nullptr ? k : 4 * b.groups->words;
  const int64_t first = b.tiles ? TileFloats(k, column) : column * rows;
  return b.integers == nullptr ? b.floats + first
                               : reinterpret_cast<const float*>(b.integers + first);
}

// What a chunk needs beside its operands; null where it needs none.
struct Room {
  float* partial = nullptr;  // BlockRows() x padded columns, or the room of tiles
  float* widened = nullptr;  // kWidenedFloats
  float* copied = nullptr;   // BlockRows() x kCopiedRow
};

void RunRows(const WorkPart& part, int64_t n, int64_t k, const float* a, int64_t lda,
             const Right& b, float* c, int64_t ldc, const Epilogue& epilogue, int64_t first_row,
             const Room& room) {
  const float* rows[kMaxBlockRows];
  const int64_t offset = 0;
  GemmBlock block;
  block.rows = rows;
  block.offsets = &offset;
  block.segments = 1;
  block.length = k;
  block.b = b.integers == nullptr ? b.floats : room.widened;
  block.integers = b.integers;
  block.scales = b.scales;
  block.groups = b.groups;
  block.room = room.widened;
  block.copied = room.copied;
  block.columns = n;
  block.first_panel = part.first_panel;
  block.last_panel = part.last_panel;
  block.ldc = ldc;
  block.epilogue = &epilogue;
  block.partial = room.partial;
  block.streams = (part.end - part.begin) * (k + n) * 4 > L2CacheBytes();
  const int64_t step = BlockRows(part.end - part.begin, k, b.tiles);
  for (int64_t r = part.begin; r < part.end; r += step) {
    block.row_count = std::min(step, part.end - r);
    block.next = r + step < part.end ? NextPanel(b, k, PanelColumn(part.first_panel, n)) : nullptr;
    for (int64_t i = 0; i < block.row_count; ++i) rows[i] = a + (r + i) * lda;
    block.c = c + r * ldc;
    block.first_row = first_row + r;
    if (b.tiles)
      RunTileBlock(block, room.partial);
    else
      LITE_ISA_PICK(kGemmTable).run_block(block);
  }
}

// For `rows` rows.
Room ChunkScratch(int64_t rows, int64_t lda, int64_t n, int64_t k, const Epilogue& epilogue,
                  const Right& b) {
  const int64_t step = BlockRows(rows, k, b.tiles);
  const int64_t widened = b.integers != nullptr ? kWidenedFloats : 0;
  int64_t partial = 0;
  if (b.tiles)
    partial = TileRoom(std::min(rows, step), n, k);
  else if (LITE_ISA_PICK(kGemmTable).needs_partial(1, k, epilogue))
    partial = step * n;
  const int64_t copied =
      !b.tiles && RowsCollide(rows, n, lda) ? std::min(rows, step) * kCopiedRow : 0;
  const int64_t all = widened + partial + copied;
  if (all == 0) return {};
  auto* const scratch =
      static_cast<float*>(ThreadScratch(static_cast<size_t>(all) * sizeof(float)));
  return {partial > 0 ? scratch + widened : nullptr, widened > 0 ? scratch : nullptr,
          copied > 0 ? scratch + widened + partial : nullptr};
}

void GemmPacked(int threads, int64_t m, int64_t n, int64_t k, const float* a, int64_t lda,
                const Right& b, float* c, int64_t ldc, const Epilogue& epilogue) {
  if (m <= 0 || n <= 0) return;
  const double work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  const WorkSplit split = SplitProduct(threads, m, n, RowUnit(b.tiles), work, b.tiles);
  ForParts(threads, split, [&](const WorkPart& part) {
    RunRows(part, n, k, a, lda, b, c, ldc, epilogue, 0,
            ChunkScratch(part.end - part.begin, lda, n, k, epilogue, b));
  });
}

}  // namespace

void Gemm(int threads, int64_t m, int64_t n, int64_t k, const float* a, int64_t lda,
          const PackedMatrix& b, float* c, int64_t ldc, const Epilogue& epilogue) {
  GemmPacked(threads, m, n, k, a, lda, {b.data.data(), b.tiles}, c, ldc, epilogue);
}

void GemmIntegers(int threads, int64_t m, const float* a, int64_t lda, const PackedIntegers& b,
                  float* c, int64_t ldc, const Epilogue& epilogue) {
  const auto* integers = reinterpret_cast<const int8_t*>(b.data.data());
  GemmPacked(threads, m, b.n, b.k, a, lda, {nullptr, false, integers, b.scales.data()}, c, ldc,
             epilogue);
}

void GemmGroups(int threads, int64_t m, int64_t k, const float* a, const PackedGroups& b, float* c,
                const Epilogue& epilogue) {
  IntegerGroups groups = GroupsOf(b);
  groups.few_rows = m <= LITE_ISA_PICK(kGemmTable).group_rows;
  const auto* integers = reinterpret_cast<const int8_t*>(b.words.data.data());
  GemmPacked(threads, m, b.words.n, k, a, k, {nullptr, false, integers, nullptr, &groups}, c,
             b.words.n, epilogue);
}

void GemmUnpacked(int threads, const MatMul& mm, const Epilogue& epilogue) {
  if (mm.batch <= 0 || mm.m <= 0 || mm.n <= 0) return;
  const int64_t packed_floats = (PackedFloats(mm.k, mm.n) + 15) / 16 * 16;
  const int64_t a_floats = mm.transpose_a ? (mm.m * mm.k + 15) / 16 * 16 : 0;
  const int64_t panels = PanelCount(mm.n);
  const bool shared_b = mm.batch_b == 0;
  // As many products at a time as keep their operands in the caches.
  const int64_t group_floats = BytesInL2(512 * 1024) / 4;
  const int64_t one = packed_floats + a_floats;
  const int64_t fitting = std::max(threads, 1) * std::max<int64_t>(1, group_floats / (one + 1));
  const int64_t group = std::min(mm.batch, fitting);
  float* scratch =
      static_cast<float*>(ThreadScratch((group * one + 16) * sizeof(float), kScratchFunction));
  const double work = static_cast<double>(mm.m) * mm.n * mm.k;
  for (int64_t first = 0; first < mm.batch; first += group) {
    const int64_t count = std::min(group, mm.batch - first);
    float* const packed = scratch;
    float* const rows = scratch + group * packed_floats;
    const int64_t packs = shared_b ? (first == 0 ? 1 : 0) : count;
    const int pack_threads = work * count > 100e3 ? threads : 1;
    ParallelFor(pack_threads, packs * panels, [&](int64_t chunk) {
      const int64_t i = chunk / panels, panel = chunk % panels;
      PackPanels(mm.k, mm.n, mm.b + (first + i) * mm.batch_b, mm.ldb, mm.transpose_b,
                 packed + i * packed_floats, panel, panel + 1);
    });
    const WorkSplit split = SplitWork(std::max<int64_t>(1, threads / count), mm.m,
                                      LITE_ISA_PICK(kGemmTable).panel_rows, panels, work);
    if (mm.transpose_a) {
      ParallelFor(pack_threads, count, [&](int64_t i) {
        Transpose(mm.k, mm.m, mm.a + (first + i) * mm.batch_a, mm.lda, rows + i * a_floats, mm.k);
      });
    }
    ParallelFor(pack_threads, count * split.chunks(), [&](int64_t chunk) {
      const int64_t item = chunk / split.chunks();
      const WorkPart part = split.part(chunk % split.chunks());
      const float* a = mm.transpose_a ? rows + item * a_floats : mm.a + (first + item) * mm.batch_a;
      const Right b = {packed + (shared_b ? 0 : item * packed_floats)};
      const int64_t lda = mm.transpose_a ? mm.k : mm.lda;
      RunRows(part, mm.n, mm.k, a, lda, b, mm.c + (first + item) * mm.batch_c, mm.ldc, epilogue,
              (first + item) * mm.m,
              ChunkScratch(part.end - part.begin, lda, mm.n, mm.k, epilogue, b));
    });
  }
}

}  // namespace paddle::lite::math
