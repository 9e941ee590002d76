#include "lite/kernels/cpu/math/packing.h"

#include <algorithm>
#include <new>
#include <utility>

#include "lite/core/base/system.h"
#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/packing_table.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/transpose.h"

namespace paddle::lite::math {

AlignedFloats::AlignedFloats(int64_t count) : size_(count) {
  if (count < 0 || count > static_cast<int64_t>(SIZE_MAX / 8)) throw std::bad_alloc();
  const size_t bytes = (std::max<int64_t>(count, 1) * sizeof(float) + 63) / 64 * 64;
  data_ = static_cast<float*>(system::AllocateAligned(64, bytes));
  if (data_ == nullptr) throw std::bad_alloc();
}

AlignedFloats::AlignedFloats(AlignedFloats&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      packed_(std::exchange(other.packed_, false)),
      owner_(std::move(other.owner_)) {}

AlignedFloats& AlignedFloats::operator=(AlignedFloats&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(packed_, other.packed_);
  std::swap(owner_, other.owner_);
  return *this;
}

AlignedFloats::~AlignedFloats() {
  if (owner_ == nullptr) system::FreeAligned(data_);
}

AlignedFloats AlignedFloats::Lasting(int64_t count) {
  WeightMemory* const memory = CurrentWeightMemory();
  if (memory == nullptr) return AlignedFloats(count);
  if (count < 0 || count > static_cast<int64_t>(SIZE_MAX / 8)) throw std::bad_alloc();
  AlignedFloats made;
  made.owner_ = memory->Take(static_cast<size_t>(std::max<int64_t>(count, 1)) * 4, &made.packed_);
  made.data_ = static_cast<float*>(made.owner_.get());
  made.size_ = count;
  return made;
}

namespace {

int64_t Vectors(int64_t n) {
  const int64_t width = LITE_ISA_PICK(kGemmTable).vector_width;
  return (n + width - 1) / width;
}

}  // namespace

void Transpose(int64_t rows, int64_t columns, const float* x, int64_t ldx, float* y, int64_t ldy) {
  LITE_ISA_PICK(kTransposeTable)
      .transpose(rows, columns, reinterpret_cast<const uint32_t*>(x), ldx,
                 reinterpret_cast<uint32_t*>(y), ldy);
}

int64_t PanelCount(int64_t n) {
  const GemmTable& table = LITE_ISA_PICK(kGemmTable);
  const int64_t spare = 2 * table.panel_vectors - 1 - table.last_panel_vectors;
  return std::max<int64_t>(1, (Vectors(n) + spare) / table.panel_vectors);
}

int64_t PanelColumn(int64_t panel, int64_t n) {
  const GemmTable& table = LITE_ISA_PICK(kGemmTable);
  return panel >= PanelCount(n) ? n : panel * table.panel_vectors * table.vector_width;
}

int PackThreads(int threads, int64_t floats) {
  constexpr int64_t kGrain = 32 * 1024;
  return static_cast<int>(std::clamp<int64_t>(floats / kGrain, 1, threads));
}

int64_t PackedFloats(int64_t k, int64_t n) {
  return k * Vectors(n) * LITE_ISA_PICK(kGemmTable).vector_width;
}

namespace {

struct PanelPlace {
  PanelPlace(int64_t panel, int64_t k, int64_t n) {
    begin = PanelColumn(panel, n);
    columns = PanelColumn(panel + 1, n) - begin;
    const bool last = begin + columns == n;
    width = (last ? Vectors(n) * LITE_ISA_PICK(kGemmTable).vector_width : begin + columns) - begin;
    offset = begin * k;
  }
  int64_t begin, columns, width, offset;
};

// Rows [begin, end) of a K x N matrix to all panels of it: x is read once, in order.
void PackRows(int64_t k, int64_t n, const float* b, int64_t ldb, float* packed, int64_t begin,
              int64_t end) {
  constexpr int64_t kRows = 8;
  const int64_t panels = PanelCount(n);
  for (int64_t first = begin; first < end; first += kRows)
    for (int64_t panel = 0; panel < panels; ++panel) {
      const PanelPlace place(panel, k, n);
      for (int64_t i = first; i < std::min(end, first + kRows); ++i) {
        float* const out = packed + place.offset + i * place.width;
        LITE_ISA_PICK(kPackingTable).copy(b + i * ldb + place.begin, place.columns, true, out);
        std::fill(out + place.columns, out + place.width, 0.0f);
      }
    }
}

}  // namespace

void PackPanels(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed, float* packed,
                int64_t first, int64_t last, bool flush) {
  const PackingTable& table = LITE_ISA_PICK(kPackingTable);
  for (int64_t panel = first; panel < last; ++panel) {
    const PanelPlace place(panel, k, n);
    float* out = packed + place.offset;
    if (transposed) {
      TurnedPanel turned;
      turned.x = b + place.begin * ldb;
      turned.ldx = ldb;
      turned.columns = place.columns;
      turned.channels = turned.tap_rows = k;
      turned.y = out;
      turned.width = place.width;
      turned.flush = flush;
      table.turn(turned);
    } else {
      for (int64_t i = 0; i < k; ++i, out += place.width) {
        table.copy(b + i * ldb + place.begin, place.columns, flush, out);
        std::fill(out + place.columns, out + place.width, 0.0f);
      }
    }
  }
}

void PackTaps(int64_t channels, int64_t taps, int64_t n, const float* x, int64_t ldx, float* packed,
              int64_t first, int64_t last) {
  for (int64_t panel = first; panel < last; ++panel) {
    const PanelPlace place(panel, channels * taps, n);
    TurnedPanel turned;
    turned.x = x + place.begin * ldx;
    turned.ldx = ldx;
    turned.columns = place.columns;
    turned.channels = turned.tap_rows = channels;
    turned.taps = taps;
    turned.y = packed + place.offset;
    turned.width = place.width;
    turned.flush = true;
    LITE_ISA_PICK(kPackingTable).turn(turned);
  }
}

namespace {

// Panel by panel, as floats first.
void PackTiles(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed, int threads,
               float* tiles) {
  ParallelFor(PackThreads(threads, k * n), PanelCount(n), [&](int64_t panel) {
    const int64_t first = PanelColumn(panel, n), columns = PanelColumn(panel + 1, n) - first;
    AlignedFloats rows(PackedFloats(k, columns));
    PackPanels(k, columns, b + first * (transposed ? ldb : 1), ldb, transposed, rows.data(), 0, 1,
               true);
    PackTilePanel(k, n, panel, rows.data(), tiles);
  });
  if (CurrentWeightMemory() != nullptr)
    CurrentWeightMemory()->Drop(b, static_cast<size_t>((transposed ? n : k) * ldb) * sizeof(float));
}

}  // namespace

PackedMatrix PackB(int64_t k, int64_t n, const float* b, int64_t ldb, bool transposed, int threads,
                   int64_t m) {
  PackedMatrix packed;
  packed.isa = ActiveIsa();
  packed.k = k;
  packed.n = n;
  packed.tiles = TilesPay(m, n, k);
  packed.data = AlignedFloats::Lasting(packed.tiles ? TileFloats(k, n) : PackedFloats(k, n));
  if (k <= 0 || n <= 0 || packed.data.packed()) return packed;
  if (packed.tiles) {
    PackTiles(k, n, b, ldb, transposed, threads, packed.data.data());
    return packed;
  }
  const int64_t rows = transposed ? n : k, row = transposed ? k : n;
  WeightMemory* const memory = CurrentWeightMemory();
  // Steps after which b's memory may go.
  constexpr int64_t kStepFloats = 2 << 20;
  const int64_t panels = PanelCount(n);
  const int64_t step = memory == nullptr ? rows : std::max<int64_t>(kStepFloats / row, 1);
  const int64_t panel_rows = PanelColumn(1, n);
  for (int64_t begin = 0, end; begin < rows; begin = end) {
    end = std::min(rows, begin + step);
    const int used = PackThreads(threads, (end - begin) * row);
    if (transposed) {
      const int64_t first = begin / panel_rows;
      const int64_t wanted = std::max(first + 1, end / panel_rows);
      const int64_t last = end == rows || wanted >= panels ? panels : wanted;
      ParallelFor(used, last - first, [&](int64_t i) {
        PackPanels(k, n, b, ldb, true, packed.data.data(), first + i, first + i + 1, true);
      });
      end = PanelColumn(last, n);
    } else {
      const int64_t chunks = std::max<int64_t>(1, std::min<int64_t>(used * 2, end - begin));
      ParallelFor(used, chunks, [&](int64_t i) {
        PackRows(k, n, b, ldb, packed.data.data(), begin + (end - begin) * i / chunks,
                 begin + (end - begin) * (i + 1) / chunks);
      });
    }
    if (memory != nullptr) memory->Drop(b, static_cast<size_t>(end * ldb) * sizeof(float));
  }
  return packed;
}

}  // namespace paddle::lite::math
