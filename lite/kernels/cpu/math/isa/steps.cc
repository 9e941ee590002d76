#include "lite/kernels/cpu/math/isa/steps.h"

#include "lite/kernels/cpu/math/isa/round_steps.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::LITE_ISA {
namespace {

// Floats of a tile that is worked on between the first and the last step; two of them fit in L1.
constexpr int64_t kTileFloats = 2048;

struct Tile {
  int64_t rows, cols;
  const float* x;
  int64_t ldx;
  float* y;
  int64_t ldy;
};

template <typename Op>
LITE_INLINE void Unary(const Tile& t, const Op& op) {
  const int64_t full = t.cols / kW * kW;
  const int tail = static_cast<int>(t.cols - full);
  for (int64_t r = 0; r < t.rows; ++r) {
    const float* x = t.x + r * t.ldx;
    float* y = t.y + r * t.ldy;
    for (int64_t j = 0; j < full; j += kW) Store(y + j, op(Load(x + j)));
    if (tail != 0) StoreN(y + full, op(LoadN(x + full, tail)), tail);
  }
}

template <typename Op>
LITE_INLINE void Binary(const Tile& t, const float* data, int64_t row_stride, bool per_column,
                        const Op& op) {
  const int64_t full = t.cols / kW * kW;
  const int tail = static_cast<int>(t.cols - full);
  for (int64_t r = 0; r < t.rows; ++r) {
    const float* x = t.x + r * t.ldx;
    float* y = t.y + r * t.ldy;
    const float* d = data + r * row_stride;
    if (per_column) {
      for (int64_t j = 0; j < full; j += kW) Store(y + j, op(Load(x + j), Load(d + j)));
      if (tail != 0) StoreN(y + full, op(LoadN(x + full, tail), LoadN(d + full, tail)), tail);
    } else {
      const V s = Splat(*d);
      for (int64_t j = 0; j < full; j += kW) Store(y + j, op(Load(x + j), s));
      if (tail != 0) StoreN(y + full, op(LoadN(x + full, tail), s), tail);
    }
  }
}

struct UnaryVisitor {
  const Tile& tile;
  template <typename Op>
  void operator()(const Op& op) const {
    Unary(tile, op);
  }
};

// As one row, where the step's operand goes on from row to row as the tile does.
Tile Flattened(const Tile& t, const EpilogueStep& step) {
  if (t.ldx != t.cols || t.ldy != t.cols) return t;
  const int64_t follows = step.col_stride != 0 ? t.cols : 0;
  if (step.op != EpilogueStep::kAct && step.row_stride != follows) return t;
  return {1, t.rows * t.cols, t.x, t.cols, t.y, t.cols};
}

void RunStep(const Tile& tile, const EpilogueStep& step, const float* data) {
  const Tile t = Flattened(tile, step);
  const int64_t rs = step.row_stride;
  const bool cs = step.col_stride != 0;
  switch (step.op) {
    case EpilogueStep::kAct:
      return VisitAct(step.act, UnaryVisitor{t});
    case EpilogueStep::kAdd:
      return Binary(t, data, rs, cs, [](V x, V d) { return x + d; });
    case EpilogueStep::kSub:
      return Binary(t, data, rs, cs, [](V x, V d) { return x - d; });
    case EpilogueStep::kRsub:
      return Binary(t, data, rs, cs, [](V x, V d) { return d - x; });
    case EpilogueStep::kMul:
      return Binary(t, data, rs, cs, [](V x, V d) { return x * d; });
    case EpilogueStep::kDiv:
      return Binary(t, data, rs, cs, [](V x, V d) { return x / d; });
    case EpilogueStep::kRdiv:
      return Binary(t, data, rs, cs, [](V x, V d) { return d / x; });
    // A NaN on either side stays.
    case EpilogueStep::kMax:
      return Binary(t, data, rs, cs, [](V x, V d) { return d == d ? AtLeast(x, d) : d; });
    case EpilogueStep::kMin:
      return Binary(t, data, rs, cs, [](V x, V d) { return d == d ? AtMost(x, d) : d; });
    case EpilogueStep::kPrelu:
      return Binary(t, data, rs, cs, [](V x, V d) { return Slope(x, d); });
  }
}

// A step over bytes as one over the reals that they stand for, which it writes.
EpilogueStep RealsOf(const EpilogueStep& step, const Tile& t, int64_t first, float* reals) {
  EpilogueStep by_reals = step;
  const int64_t rows = step.row_stride != 0 ? t.rows : 1, cols = step.col_stride != 0 ? t.cols : 1;
  by_reals.row_stride = step.row_stride != 0 ? cols : 0;
  for (int64_t r = 0; r < rows; ++r)
    RealsOfBytes(step.bytes + first + r * step.row_stride, cols, step.byte_scale, step.byte_zero,
                 reals + r * cols);
  return by_reals;
}

// Rows of one image, small enough for the buffer. Only the last step writes y, since an operand may
// be y.
void RunTile(Tile* tile, const EpilogueStep* steps, int count, int64_t image, int64_t row,
             int64_t col) {
  Tile& t = *tile;
  alignas(64) float buffer[kTileFloats];
  alignas(64) float reals[kTileFloats];
  float* const y = t.y;
  const int64_t ldy = t.ldy;
  for (int i = 0; i < count; ++i) {
    const bool last = i == count - 1;
    t.y = last ? y : buffer;
    t.ldy = last ? ldy : t.cols;
    const EpilogueStep& step = steps[i];
    const int64_t first = image * step.image_stride + row * step.row_stride + col * step.col_stride;
    if (step.bytes != nullptr)
      RunStep(t, RealsOf(step, t, first, reals), reals);
    else
      RunStep(t, step, step.data + first);
    t.x = t.y;
    t.ldx = t.ldy;
  }
}

}  // namespace

void RunSteps(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
              const EpilogueStep* steps, int step_count, int64_t rows_per_image, int64_t row0,
              int64_t col0) {
  static const EpilogueStep kCopy;
  if (step_count == 0) {
    if (x == y && ldx == ldy) return;
    steps = &kCopy;
    step_count = 1;
  }
  if (rows_per_image <= 0) rows_per_image = row0 + rows;
  const int64_t tile_cols = cols < kTileFloats ? cols : kTileFloats;
  const bool one_tile = rows * tile_cols <= kTileFloats;  // mostly, and divisions are slow
  const int64_t tile_rows = one_tile ? rows : kTileFloats / tile_cols;
  for (int64_t r = 0; r < rows;) {
    const int64_t image = row0 + r < rows_per_image ? 0 : (row0 + r) / rows_per_image;
    const int64_t row = row0 + r - image * rows_per_image;
    int64_t count = rows_per_image - row;
    if (count > rows - r) count = rows - r;
    if (count > tile_rows) count = tile_rows;
    for (int64_t j = 0; j < cols; j += tile_cols) {
      const int64_t width = cols - j < tile_cols ? cols - j : tile_cols;
      Tile tile{count, width, x + r * ldx + j, ldx, y + r * ldy + j, ldy};
      RunTile(&tile, steps, step_count, image, row, col0 + j);
    }
    r += count;
  }
}

extern const StepsTable kStepsTable = {RunSteps};

}  // namespace paddle::lite::math::LITE_ISA
