#pragma once

// What the instruction-set objects export to the common code of math/.

#include <stddef.h>
#include <stdint.h>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/excess.h"
#include "lite/kernels/cpu/math/grid_sample.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/integer_groups.h"
#include "lite/kernels/cpu/math/isa.h"
#include "lite/kernels/cpu/math/rounded_block.h"

namespace paddle::lite::math {

// Rows of one block of a GEMM; bounds the pointer arrays on the stack.
constexpr int64_t kMaxBlockRows = 512;

// Rows of B that a block of K has at most.
constexpr int64_t kMostBlockLength = 1024;

// Floats from one copied row to the next: no power of two.
constexpr int64_t kCopiedRow = kMostBlockLength + 16;

// Floats of a K block of the widest panel.
constexpr int64_t kWidenedFloats = kMostBlockLength * 3 * 16;

// C[r][j] = epilogue(sum over segments s and i < length of
//                    rows[r][offsets[s] + i] * B[s * length + i][j]).
struct GemmBlock {
  const float* const* rows = nullptr;  // row_count <= kMaxBlockRows
  int64_t row_count = 0;
  const int64_t* offsets = nullptr;
  int64_t segments = 0, length = 0;
  // So many products are summed by themselves, and their sums then (x86): the error of one long sum
  // grows with its length.
  int64_t part = 128;
  const float* b = nullptr;  // packed panels
  int64_t columns = 0;       // of the whole B
  // Where the segments are some that follow each other of those that B is packed for, which is not
  // in groups: the summands of them all, and of those before.
  int64_t packed = 0, skipped = 0;
  int64_t first_panel = 0, last_panel = 0;
  bool streams = false;         // A and C are not in L2: every row is to pass through it once
  const float* next = nullptr;  // the packed panel that is read after these, for its prefetching
  float* c = nullptr;           // row 0, column 0
  int64_t ldc = 0;
  const Epilogue* epilogue = nullptr;
  int64_t first_row = 0;     // of row 0 in the result, for the steps
  int64_t first_column = 0;  // of column 0 in the result, for the steps
  float* partial = nullptr;  // row_count x columns, if needs_partial()
  // Not null: B is packed in these, times `scales` (padded columns), which become floats in `room`
  // panel by panel.
  const int8_t* integers = nullptr;
  const float* scales = nullptr;
  const IntegerGroups* groups = nullptr;  // not null: what `integers` are, in place of `scales`
  float* room = nullptr;                  // kWidenedFloats
  // Not null: what a K block reads of the rows, of one segment, is copied here first, since where
  // they lie they would take each other's place in L1: row_count x kCopiedRow floats.
  float* copied = nullptr;
};

struct GemmTable {
  int vector_width;
  int panel_vectors;       // of every panel but the last
  int panel_rows;          // rows of the widest microkernel of such a panel
  int last_panel_vectors;  // the last panel is at most this wide
  void (*run_block)(const GemmBlock&);
  // Whether run_block needs `partial` for this many segments of this length.
  bool (*needs_partial)(int64_t segments, int64_t length, const Epilogue&);
  int group_rows;  // so few rows read integers in groups as they are, with other roundings
};
LITE_ISA_DECLARE(GemmTable, kGemmTable)

// C[r][j] = epilogue(scales[j] * (start[j] + sum over segments s and w < words of the
//           products in word w of rows[r] + offsets[s], and word s * words + w of column j)).
// A word holds two int16, or with `quads` four bytes; on x86 those on the left have no sign.
struct Int8Block : RoundedBlock {
  int64_t words = 0;
  bool quads = false;
  const int8_t* b = nullptr;  // packed panels, as GemmTable's
  // Words in excess, as Excess has them; null where there are none.
  const int32_t* excess_ends = nullptr;
  const ExcessPlace* excess_places = nullptr;
  const int8_t* excess_words = nullptr;
  const int32_t* start = nullptr;  // padded columns
  const float* scales = nullptr;   // padded columns
};

// Output tiles of 2 x 2 pixels that lie side by side.
struct PatchRun {
  int64_t tiles = 0;
  int64_t row = 0;     // of the first pixel in the result
  int64_t pixels = 0;  // of a line of them: 2 * tiles, or one less
  int64_t below = 0;   // rows to the line below, or 0: there is none
};

// The same products for each of 16 matrices, whose words are `matrix_bytes` apart and whose rows
// `offsets`; what they give are 4 times the sums of the pixels (int8_winograd.h).
struct PatchBlock : Int8Block {
  int64_t matrix_bytes = 0;
  const PatchRun* runs = nullptr;
  int64_t run_count = 0;
  int32_t* sums = nullptr;  // room for 16 x row_count x the widest panel
};

// 4 x 4 pixels of int16 for each tile of a line, to 16 matrices.
struct PatchInput {
  const char* pixels = nullptr;
  int64_t row_bytes = 0, pixel_bytes = 0;
  int64_t tiles = 0;
  int64_t channels = 0;  // more are read and written, until vectors are full
  int16_t* v = nullptr;
  int64_t row = 0, matrix = 0;  // elements from one to the next
};

struct Int8Table {
  int panel_rows;
  bool sums_in_16_bits;  // whether there are words in excess
  void (*run_block)(const Int8Block&);
  // Reals to words: bytes with `quads`, plus how.zero, else int16.
  void (*round_row)(const float* x, int64_t count, const Int8Rounding& how, bool quads, char* out);
  void (*round_reals)(const float* x, int64_t count, const Int8Rounding& how, float scale,
                      float bound, float* out);
  // Bytes without sign to words: the bytes less `less`, as bytes with `quads`, else int16.
  void (*take_bytes)(const uint8_t* x, int64_t count, int less, bool quads, char* out);
  // out = (byte - zero) * scale
  void (*widen_bytes)(const uint8_t* x, int64_t count, float scale, int zero, float* out);
  void (*map_bytes)(const uint8_t* x, int64_t count, const uint8_t* table, uint8_t* out);
  void (*transform_patches)(const PatchInput&);
  void (*run_patches)(const PatchBlock&);
};
LITE_ISA_DECLARE(Int8Table, kInt8Table)

// Some channels of one or a few output rows of a depthwise convolution.
struct DepthwiseRow {
  int64_t together = 1;  // output rows, one after the other in y
  // kh + (together - 1) * stride input rows of iw pixels; null is padding.
  const float* const* rows = nullptr;
  const float* zeros = nullptr;  // an input row of them
  int64_t channels = 0;
  int64_t padded_channels = 0;       // of the weights' rows
  int64_t x_pixel = 0, y_pixel = 0;  // floats between pixels
  int64_t iw = 0, ow = 0, kh = 0, kw = 0, sw = 0, pl = 0, dw = 0;
  const float* weights = nullptr;  // kh x kw x padded channels
  const float* bias = nullptr;     // padded channels
  // Scratch of 4 x kh x kw, or of input rows x (3 x sw + kw) if larger.
  const float** pointers = nullptr;
  float* tile = nullptr;  // scratch of y's size if the epilogue has steps or other activations
  float* y = nullptr;
  uint8_t* bytes = nullptr;  // in the place of y, where the epilogue rounds
  const Epilogue* epilogue = nullptr;
  int64_t first_row = 0, first_column = 0;  // of y in the result, for the steps
};

struct DepthwiseTable {
  // The most output rows that are worth computing together, for a vertical stride and dilation.
  int64_t (*rows_together)(const DepthwiseRow&, int64_t sh, int64_t dh);
  void (*run_rows)(const DepthwiseRow&);
};
LITE_ISA_DECLARE(DepthwiseTable, kDepthwiseTable)

// Windows of the same form, side by side.
template <typename T>
struct PoolWindowsOf {
  const T* const* pixels = nullptr;  // of the first, at least one
  int64_t pixel_count = 0;
  int64_t count = 1;               // windows
  int64_t x_step = 0, y_step = 0;  // elements from one to the next
  int64_t channels = 0;
  T* y = nullptr;
};
using PoolWindows = PoolWindowsOf<float>;

// y = max or scale * sum over a window's pixels.
struct PoolTable {
  void (*max)(const PoolWindows&);
  void (*sum)(const PoolWindows&, float scale);
  void (*max_of_bytes)(const PoolWindowsOf<uint8_t>&);
};
LITE_ISA_DECLARE(PoolTable, kPoolTable)

// Input and output transforms of Winograd's convolution, for tiles of 2 and of 4.
struct WinogradTable {
  // Pixels of a (tile + 2)^2 patch -> v[(tile + 2)^2 matrices, `stride` floats apart][channels].
  void (*input[2])(const float* const* pixels, int64_t channels, float* v, int64_t stride);
  // m[(tile + 2)^2 matrices][channels] + bias -> activation -> tile^2 pixels; `bias` is padded.
  // Only for activations that `in_registers` tells, or, where they are not null, slopes below zero
  // (of each channel, padded).
  void (*output[2])(const float* m, int64_t stride, int64_t channels, const float* bias,
                    const Activation& act, const float* slopes, float* const* pixels);
  bool (*in_registers)(const Activation& act);
};
LITE_ISA_DECLARE(WinogradTable, kWinogradTable)

struct StepsTable {
  void (*run)(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
              const EpilogueStep* steps, int step_count, int64_t rows_per_image, int64_t row0,
              int64_t col0);
};
LITE_ISA_DECLARE(StepsTable, kStepsTable)

struct GridSampleTable {
  void (*find)(const GridImage& image, const float* grid, int64_t count, GridTaps* taps);
  // Of positions in pixels, in room for kMost.
  void (*find_nearest)(const GridImage& image, bool even, const float* xs, const float* ys,
                       int64_t count, GridTaps* taps);
  void (*sample)(const float* plane, int64_t width, const GridTaps& taps, int64_t count,
                 float* out);
};
LITE_ISA_DECLARE(GridSampleTable, kGridSampleTable)

}  // namespace paddle::lite::math
