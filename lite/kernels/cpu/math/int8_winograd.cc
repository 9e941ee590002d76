#include "lite/kernels/cpu/math/int8_winograd.h"

#include <algorithm>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/winograd.h"
#include "lite/kernels/cpu/math/winograd_sizes.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// Rows of V whose 16 matrices should stay in L2.
constexpr int64_t kBytesOfPatches = 512 * 1024;
// So many read all weights that reading them is no matter.
constexpr int64_t kLeastTiles = 48;

}  // namespace

bool TakesInt8Winograd(const ConvShape& s) {
  // Sums of 4 times 9 * 128 * 255 for each channel stay in int32.
  constexpr int64_t kLeastChannels = 16, kMostChannels = 1800;
  return !HasByteDot() && s.kh == 3 && s.kw == 3 && s.sh == 1 && s.sw == 1 && s.dh == 1 &&
         s.dw == 1 && s.groups == 1 && s.ic >= kLeastChannels && s.oc >= kLeastChannels &&
         s.ic <= kMostChannels && !WinogradSwitchedOff();
}

bool Int8WinogradPays(const ConvShape& s) {
  constexpr int64_t kFewTiles = 8;
  return s.n * ((s.oh + 1) / 2) * ((s.ow + 1) / 2) >= kFewTiles || s.ic * s.oc <= 128 * 128;
}

void TransformTaps(const int8_t* taps, int* matrices) {
  const auto line = [](int a, int b, int c, int* out, int step) {
    out[0] = 2 * a, out[step] = a + b + c, out[2 * step] = a - b + c, out[3 * step] = 2 * c;
  };
  int columns[12];  // [4][3]
  for (int x = 0; x < 3; ++x) line(taps[x], taps[3 + x], taps[6 + x], columns + x, 3);
  for (int y = 0; y < 4; ++y)
    line(columns[3 * y], columns[3 * y + 1], columns[3 * y + 2], matrices + 4 * y, 1);
}

void RunPatchStrip(const PatchStrip& s, const PatchBlock& block) {
  PatchBlock g = block;
  const int64_t vector = LITE_ISA_PICK(kGemmTable).vector_width;
  const int64_t widest = LITE_ISA_PICK(kGemmTable).last_panel_vectors * vector;
  const int64_t row = winograd::RoundUp(s.channels, 2 * vector);
  const int64_t tiles_of_line = (s.width + 1) / 2, tiles = (s.count + 1) / 2 * tiles_of_line;
  const int64_t fitting = BytesInL2(kBytesOfPatches) / (2 * kPatchMatrices * row);
  const int64_t step = EvenPart(tiles, std::clamp<int64_t>(fitting, kLeastTiles, kMaxBlockRows), 1);
  // A line more, so that the matrices do not meet in the same cache sets.
  const int64_t matrix = step * row + 32;
  char* const scratch = static_cast<char*>(ThreadScratch(
      static_cast<size_t>(kPatchMatrices * (2 * matrix + 4 * step * widest)), kScratchBlock));
  auto* const v = reinterpret_cast<int16_t*>(scratch);
  g.sums = reinterpret_cast<int32_t*>(scratch + 2 * kPatchMatrices * matrix);
  const char* rows[kMaxBlockRows];
  PatchRun runs[kMaxBlockRows];
  int64_t offsets[kPatchMatrices];
  for (int64_t i = 0; i < kPatchMatrices; ++i) offsets[i] = 2 * i * matrix;
  for (int64_t i = 0; i < step; ++i) rows[i] = reinterpret_cast<const char*>(v + i * row);
  g.rows = rows;
  g.offsets = offsets;
  g.runs = runs;
  for (int64_t first = 0; first < tiles; first += step) {
    g.row_count = std::min(step, tiles - first);
    g.run_count = 0;
    for (int64_t i = 0; i < g.row_count;) {
      const int64_t y = (first + i) / tiles_of_line * 2, x = (first + i) % tiles_of_line;
      PatchRun& run = runs[g.run_count++];
      run.tiles = std::min(g.row_count - i, tiles_of_line - x);
      run.row = s.first_row + y * s.width + 2 * x;
      run.pixels = std::min(2 * run.tiles, s.width - 2 * x);
      run.below = y + 1 < s.count ? s.width : 0;
      PatchInput input;
      input.pixels = s.lines[y] + 2 * x * s.pixel_bytes;
      input.row_bytes = s.line_bytes, input.pixel_bytes = s.pixel_bytes;
      input.tiles = run.tiles;
      input.channels = s.channels;
      input.v = v + i * row;
      input.row = row, input.matrix = matrix;
      LITE_ISA_PICK(kInt8Table).transform_patches(input);
      i += run.tiles;
    }
    LITE_ISA_PICK(kInt8Table).run_patches(g);
  }
}

}  // namespace paddle::lite::math
