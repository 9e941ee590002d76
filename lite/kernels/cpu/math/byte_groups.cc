#include "lite/kernels/cpu/math/byte_groups.h"

#include <algorithm>
#include <vector>

#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite::math {
namespace {

constexpr int64_t kRowsTogether = 32;  // whose sums one epilogue ends

// Memory of ByteRows.
struct OwnedRows {
  OwnedRows(int64_t m, const IntegerGroups& groups)
      : bytes(static_cast<size_t>(m * groups.words * 32 / groups.bits)),
        scales(static_cast<size_t>(m * groups.count)),
        sums(scales.size()) {
    rows.stride = groups.words * 32 / groups.bits, rows.groups = groups.count;
    rows.bytes = bytes.data(), rows.scales = scales.data(), rows.sums = sums.data();
  }
  std::vector<int8_t> bytes;
  std::vector<float> scales, sums;
  ByteRows rows;
};

void Round(int threads, int64_t m, int64_t k, const float* a, const IntegerGroups& groups,
           const ByteRows& to) {
  const auto round = LITE_ISA_PICK(kByteGroupsTable).round;
  ParallelRange(threads, m, std::max<int64_t>(kElementGrain / k, 1), [&](int64_t row, int64_t end) {
    for (; row < end; ++row)
      for (int64_t group = 0; group < groups.count; ++group) {
        const int64_t first = group * groups.rows, at = row * groups.count + group;
        round(a + row * k + first, std::min(groups.rows, k - first), groups,
              to.bytes + row * to.stride + first, to.scales + at, to.sums + at);
      }
  });
}

// What the bytes stand for.
std::vector<float> Floats(int64_t m, int64_t k, const IntegerGroups& groups, const ByteRows& rows) {
  std::vector<float> made(static_cast<size_t>(m * k));
  for (int64_t row = 0; row < m; ++row)
    for (int64_t i = 0; i < k; ++i)
      made[static_cast<size_t>(row * k + i)] =
          static_cast<float>(rows.bytes[row * rows.stride + PlaceInWord(i, groups.bits)]) *
          rows.scales[row * groups.count + i / groups.rows];
  return made;
}

}  // namespace

void GemmByteGroups(int threads, int64_t m, int64_t k, const float* a, const PackedGroups& b,
                    float* c, const Epilogue& epilogue) {
  const int64_t n = b.words.n;
  if (m <= 0 || n <= 0 || k <= 0) return;
  const IntegerGroups groups = GroupsOf(b);
  // Sums of one group beyond 32 bits: no block is so large, but a whole column may be.
  const bool fits = groups.rows <= INT32_MAX / (127 * ((1 << groups.bits) - 1));
  const OwnedRows owned(m, groups);
  const ByteRows& rows = owned.rows;
  Round(threads, m, k, a, groups, rows);
  const ByteGroupsTable& table = LITE_ISA_PICK(kByteGroupsTable);
  if (table.run == nullptr || !fits || (table.needs_dot && !HasByteDot()))
    return GemmGroups(threads, m, k, Floats(m, k, groups, rows).data(), b, c, epilogue);
  // Rows, or of few rows panels, whose sums one epilogue ends.
  const int64_t height = std::min(m, kRowsTogether),
                parts = (m + kRowsTogether - 1) / kRowsTogether;
  const int64_t width = kRowsTogether / height, panels = PanelCount(n);
  const int64_t grain = std::max<int64_t>(kElementGrain / (k * kRowsTogether), 1);
  ParallelRange(threads, (panels + width - 1) / width * parts, grain, [&](int64_t i, int64_t end) {
    float sums[kRowsTogether * kByteGroupsWidth];
    ByteGroupsBlock block;
    block.rows = &rows;
    block.groups = &groups;
    block.integers = reinterpret_cast<const int8_t*>(b.words.data.data());
    block.columns = n;
    block.ld = width * kByteGroupsWidth;
    for (; i < end; ++i) {
      block.first_row = i % parts * kRowsTogether;
      block.row_count = std::min(m - block.first_row, kRowsTogether);
      const int64_t first = i / parts * width, last = std::min(first + width, panels);
      const int64_t column = PanelColumn(first, n);
      for (block.panel = first; block.panel < last; ++block.panel) {
        block.sums = sums + PanelColumn(block.panel, n) - column;
        table.run(block);
      }
      RunEpilogue(block.row_count, PanelColumn(last, n) - column, sums, block.ld,
                  c + block.first_row * n + column, n, epilogue, block.first_row, column);
    }
  });
}

}  // namespace paddle::lite::math
