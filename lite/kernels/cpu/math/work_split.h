#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

// The grid of chunks that a product of rows x panels is cut into.
struct WorkSplit {
  int64_t rows = 1, row_chunks = 1;      // rows of every chunk but the last
  int64_t panels = 1, panel_chunks = 1;  // panels of every chunk but the last
};

// A few chunks for each thread, rows first or panels first, in multiples of `unit` rows; one chunk
// when the work (multiply-adds) would not pay for waking a thread. Of a product in tiles every
// chunk splits its rows, and there is but one for each thread.
inline WorkSplit SplitWork(int threads, int64_t rows, int64_t unit, int64_t panels, double work,
                           bool panels_first = false, bool tiles = false) {
  constexpr double kWorkOfOneThread = 100e3;
  WorkSplit split;
  split.rows = rows;
  split.panels = panels;
  threads = static_cast<int>(std::min<double>(threads, work / kWorkOfOneThread));
  if (threads <= 1) return split;
  const int64_t wanted = (tiles ? 1 : 2) * static_cast<int64_t>(threads);
  const int64_t units = (rows + unit - 1) / unit;
  int64_t row_chunks = std::min(wanted, std::max<int64_t>(1, units / 2));
  if (panels_first) row_chunks = std::min(row_chunks, std::max<int64_t>(1, wanted * 2 / panels));
  // Units of the thread that has most of them; fewer chunks where they come out evener.
  const auto most = [&](int64_t chunks) {
    return (chunks + threads - 1) / threads * ((units + chunks - 1) / chunks);
  };
  if (row_chunks > threads && most(threads) < most(row_chunks)) row_chunks = threads;
  split.rows = (units + row_chunks - 1) / row_chunks * unit;
  split.row_chunks = (rows + split.rows - 1) / split.rows;
  if (split.row_chunks < wanted) {
    const int64_t panel_chunks =
        std::min(panels, (wanted + split.row_chunks - 1) / split.row_chunks);
    split.panels = (panels + panel_chunks - 1) / panel_chunks;
    split.panel_chunks = (panels + split.panels - 1) / split.panels;
  }
  return split;
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
