#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/packing.h"

namespace paddle::lite::math {

// A chunk of a product.
struct WorkPart {
  int64_t begin, end;  // rows
  int64_t first_panel, last_panel;
};

// The grid of chunks that a product of rows x panels is cut into, as even as units of rows and
// panels allow: those that one thread begins with, which follow each other, are even together.
struct WorkSplit {
  int64_t rows = 0, unit = 1, row_chunks = 1;
  int64_t panels = 1, panel_chunks = 1;

  int64_t chunks() const { return row_chunks * panel_chunks; }
  WorkPart part(int64_t chunk) const {
    const int64_t i = chunk / panel_chunks, j = chunk % panel_chunks;
    const int64_t units = (rows + unit - 1) / unit;
    return {Cut(units, i, row_chunks) * unit, std::min(Cut(units, i + 1, row_chunks) * unit, rows),
            Cut(panels, j, panel_chunks), Cut(panels, j + 1, panel_chunks)};
  }

 private:
  // Where part i begins; the first ones are the larger, since the caller begins before its helpers.
  static int64_t Cut(int64_t all, int64_t i, int64_t parts) {
    return (all * i + parts - 1) / parts;
  }
};

// Two chunks for each thread, rows first or panels first, in multiples of `unit` rows; one chunk
// when the work (multiply-adds) would not pay for waking a thread. Of a product in tiles every
// chunk splits its rows, and there is but one for each thread.
inline WorkSplit SplitWork(int threads, int64_t rows, int64_t unit, int64_t panels, double work,
                           bool panels_first = false, bool tiles = false) {
  constexpr double kWorkOfOneThread = 100e3;
  WorkSplit split = {rows, unit, 1, panels, 1};
  threads = static_cast<int>(std::min<double>(threads, work / kWorkOfOneThread));
  if (threads <= 1) return split;
  const int64_t wanted = (tiles ? 1 : 2) * static_cast<int64_t>(threads);
  const int64_t units = (rows + unit - 1) / unit;
  split.row_chunks = std::min(wanted, std::max<int64_t>(1, units / 2));
  if (panels_first)
    split.row_chunks = std::min(split.row_chunks, std::max<int64_t>(1, wanted * 2 / panels));
  if (split.row_chunks > threads) split.row_chunks -= split.row_chunks % threads;
  if (split.row_chunks < wanted)
    split.panel_chunks = std::min(panels, (wanted + split.row_chunks - 1) / split.row_chunks);
  return split;
}

// Of a product of m x n with a constant right-hand side, whose microkernel takes `unit` rows.
inline WorkSplit SplitProduct(int threads, int64_t m, int64_t n, int64_t unit, double work,
                              bool tiles = false) {
  // Units of a thread's rows: with so many all threads may read all weights; with so many more a
  // second chunk of them may read them again.
  constexpr int64_t kForRows = 4, kForTwoChunks = 16;
  threads = std::max(threads, 1);
  const int64_t units = m / threads / unit;
  const WorkSplit split =
      SplitWork(threads, m, unit, PanelCount(n), work, n > m && units < kForRows, tiles);
  if (split.row_chunks < threads || units >= kForTwoChunks || tiles) return split;
  // As what is before and after cuts rows: those of a thread are in its own cache.
  return {m, 1, threads, split.panels, 1};
}

// Calls body(part) for each chunk, as ParallelFor does.
template <typename Body>
void ForParts(int threads, const WorkSplit& split, const Body& body) {
  ParallelFor(threads, split.chunks(), [&](int64_t chunk) { body(split.part(chunk)); });
}

// Rows of images so wide that are a unit: a few of a microkernel's tiles.
inline int64_t UnitOfImageRows(int64_t width) {
  return std::max<int64_t>(1, 24 / std::max<int64_t>(width, 1));
}

// The size of parts of at most `most`, a multiple of `unit`, that are as even as those allow.
inline int64_t EvenPart(int64_t all, int64_t most, int64_t unit) {
  const int64_t parts = std::max<int64_t>((all + most - 1) / most, 1);
  return std::max<int64_t>(((all + parts - 1) / parts + unit - 1) / unit, 1) * unit;
}

// Whether the rows that a microkernel reads side by side, so many floats apart, fall on fewer lines
// of L1 than they are: a way of it is a page, so that rows which lie pages apart all begin at one
// line. They are copied then (GemmBlock::copied), which few columns would not pay for.
inline bool RowsCollide(int64_t rows, int64_t columns, int64_t apart) {
  constexpr int64_t kPage = 4096, kFewColumns = 64;
  const int64_t places = kPage / std::gcd(apart * 4, kPage), ways = L1CacheBytes() / kPage;
  const int64_t together = std::min<int64_t>(rows, LITE_ISA_PICK(kGemmTable).panel_rows);
  return columns >= kFewColumns && together > places * ways;
}

// Rows of a block, where about `wanted` at a time are best. One may have a quarter more, which
// spares a block of few rows that reads all weights again.
inline int64_t MostRowsOfBlock(int64_t wanted, int64_t unit) {
  return std::min(wanted + wanted / 4, kMaxBlockRows) / unit * unit;
}
inline int64_t RowsOfBlock(int64_t rows, int64_t wanted, int64_t unit) {
  return EvenPart(rows, MostRowsOfBlock(wanted, unit), unit);
}

}  // namespace paddle::lite::math
