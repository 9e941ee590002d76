#include "lite/kernels/cpu/math/pixel_lanes.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

int64_t LaneRoom(int64_t channels) { return (PackedFloats(channels, kLanePixels) + 15) / 16 * 16; }

void MultiplyLanes(const float* const* weights, int64_t rows, int64_t channels, const float* x,
                   int64_t stride, int64_t pixels, float* room, float* sums) {
  const int64_t offset = 0;
  const Epilogue none;
  GemmBlock g;
  g.offsets = &offset;
  g.segments = 1;
  g.length = channels;
  g.b = room;
  g.columns = pixels;
  g.last_panel = PanelCount(pixels);
  g.ldc = kLanePixels;
  g.epilogue = &none;
  PackPanels(channels, pixels, x, stride, true, room, 0, g.last_panel);
  for (int64_t r = 0; r < rows; r += kMaxBlockRows) {
    g.rows = weights + r;
    g.row_count = std::min(kMaxBlockRows, rows - r);
    g.c = sums + r * kLanePixels;
    LITE_ISA_PICK(kGemmTable).run_block(g);
  }
}

void Interleave(const float* x, int64_t ldx, int64_t columns, int64_t floats, float* y,
                int64_t stride) {
  if (columns == 2 && stride == 2) {
    const float* const second = x + ldx;
    for (int64_t i = 0; i < floats / 2; ++i) {
      y[2 * i] = x[i];
      y[2 * i + 1] = second[i];
    }
    if (floats % 2 != 0) y[floats - 1] = x[floats / 2];
    return;
  }
  for (int64_t c = 0; c < columns; ++c, x += ldx)
    for (int64_t i = 0; i * columns + c < floats; ++i) y[i * stride + c] = x[i];
}

LaneEpilogue::LaneEpilogue(const Epilogue& epilogue, int64_t rows, int64_t channels)
    : more_(epilogue) {
  if (epilogue.bias != nullptr) {
    for (int64_t r = 0; r < rows; ++r) bias_.push_back(epilogue.bias[r % channels]);
    EpilogueStep add;
    add.op = EpilogueStep::kAdd;
    add.data = bias_.data();
    add.row_stride = 1;
    own_.push_back(add);
  }
  EpilogueStep act;
  act.act = epilogue.act;
  if (epilogue.act.kind != Act::kNone) own_.push_back(act);
  more_.bias = nullptr;
  more_.act = {};
}

void LaneEpilogue::RunOnLanes(int64_t rows, int64_t pixels, float* lanes, int64_t ld) const {
  RunSteps(rows, pixels, lanes, ld, lanes, ld, own_.data(), static_cast<int>(own_.size()), 0);
}

void LaneEpilogue::RunMore(int64_t pixels, int64_t channels, const float* x, float* y, int64_t ldy,
                           int64_t first_pixel) const {
  RunEpilogue(pixels, channels, x, channels, y, ldy, more_, first_pixel, 0);
}

float WeightOfLanes(float weight) { return std::fpclassify(weight) == FP_SUBNORMAL ? 0 : weight; }

}  // namespace paddle::lite::math
