#include "lite/kernels/cpu/math/conv_transpose_lanes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// Pixels that are transposed at once; with their channels they stay in L1 or near it.
constexpr int64_t kBlockPixels = 192;

// A product whose rows are the kernel's positions and channels, and whose columns are the pixels of
// an input row; what it makes is then put in the order of the output.
class PixelLanes {
 public:
  PixelLanes(const ConvShape& s, const float* x, const PackedConvTranspose& w,
             const Epilogue& epilogue, float* y)
      : s_(s), x_(x), epilogue_(epilogue), y_(y), after_(epilogue) {
    for (int64_t r = 0; r < s.kh * s.kw * s.oc; ++r) {
      weights_.push_back(w.data.data() + r * s.ic);
      if (epilogue.bias != nullptr) bias_.push_back(epilogue.bias[r % s.oc]);
    }
    if (epilogue.bias != nullptr) {
      EpilogueStep add;
      add.op = EpilogueStep::kAdd;
      add.data = bias_.data();
      add.row_stride = 1;
      own_.push_back(add);
    }
    EpilogueStep act;
    act.act = epilogue.act;
    if (epilogue.act.kind != Act::kNone) own_.push_back(act);
    after_.bias = nullptr;
    after_.act = {};
  }

  void Run(int threads) {
    // Rows that the output padding adds belong to the last input rows of all.
    const int64_t in_rows = (s_.oh + s_.kh - 1) / s_.kh, rows = s_.n * in_rows;
    const double work = static_cast<double>(rows * s_.iw) * s_.ic * s_.kh * s_.kw * s_.oc;
    const WorkSplit split = SplitWork(threads, rows, 1, 1, work);
    ForParts(threads, split, [&](const WorkPart& part) {
      for (int64_t row = part.begin; row < part.end; ++row) RunRow(row / in_rows, row % in_rows);
    });
  }

 private:
  // All output rows of one input row.
  void RunRow(int64_t image, int64_t iy) const {
    const int64_t columns = s_.kw * s_.oc, count = s_.kh * columns, row_floats = s_.ow * s_.oc;
    const int64_t panel_floats = (PackedFloats(s_.ic, kBlockPixels) + 15) / 16 * 16;
    // Steps may read y: they get a finished row from beside it.
    const bool beside = epilogue_.step_count > 0;
    const int64_t out_rows = std::min(s_.kh, s_.oh - iy * s_.kh);
    float* const panels = static_cast<float*>(
        ThreadScratch((panel_floats + count * kBlockPixels + (beside ? out_rows * row_floats : 0)) *
                      sizeof(float)));
    float* const sums = panels + panel_floats;
    float* const y = y_ + (image * s_.oh + iy * s_.kh) * row_floats;
    float* const out = beside ? sums + count * kBlockPixels : y;
    const int64_t pixels = (s_.ow + s_.kw - 1) / s_.kw;
    for (int64_t first = 0; first < pixels; first += kBlockPixels) {
      const int64_t here = std::min(kBlockPixels, pixels - first);
      const int64_t inside = iy < s_.ih ? std::clamp<int64_t>(s_.iw - first, 0, here) : 0;
      if (inside > 0)
        Multiply(x_ + ((image * s_.ih + iy) * s_.iw + first) * s_.ic, inside, panels, sums);
      // What the output padding adds has no input.
      for (int64_t r = 0; r < count && inside < here; ++r)
        std::fill(sums + r * kBlockPixels + inside, sums + r * kBlockPixels + here, 0.0f);
      math::RunSteps(count, here, sums, kBlockPixels, sums, kBlockPixels, own_.data(),
                     static_cast<int>(own_.size()), 0);
      const int64_t floats = std::min(here * columns, row_floats - first * columns);
      for (int64_t ky = 0; ky < out_rows; ++ky)
        Interleave(sums + ky * columns * kBlockPixels, columns, floats,
                   out + ky * row_floats + first * columns);
    }
    if (beside)
      RunEpilogue(out_rows * s_.ow, s_.oc, out, s_.oc, y, s_.oc, after_,
                  (image * s_.oh + iy * s_.kh) * s_.ow, 0);
  }

  void Multiply(const float* x, int64_t pixels, float* panels, float* sums) const {
    const int64_t offset = 0;
    const Epilogue none;
    GemmBlock g;
    g.offsets = &offset;
    g.segments = 1;
    g.length = s_.ic;
    g.b = panels;
    g.columns = pixels;
    g.last_panel = PanelCount(pixels);
    g.ldc = kBlockPixels;
    g.epilogue = &none;
    PackPanels(s_.ic, pixels, x, s_.ic, true, panels, 0, g.last_panel);
    const auto count = static_cast<int64_t>(weights_.size());
    for (int64_t r = 0; r < count; r += kMaxBlockRows) {
      g.rows = weights_.data() + r;
      g.row_count = std::min(kMaxBlockRows, count - r);
      g.c = sums + r * kBlockPixels;
      LITE_ISA_PICK(kGemmTable).run_block(g);
    }
  }

  // The first `floats` of y[pixel][column] from x[column][pixel].
  static void Interleave(const float* x, int64_t columns, int64_t floats, float* y) {
    if (columns == 2) {
      const float* const second = x + kBlockPixels;
      for (int64_t i = 0; i < floats / 2; ++i) {
        y[2 * i] = x[i];
        y[2 * i + 1] = second[i];
      }
      if (floats % 2 != 0) y[floats - 1] = x[floats / 2];
      return;
    }
    for (int64_t c = 0; c < columns; ++c, x += kBlockPixels)
      for (int64_t i = 0; i * columns + c < floats; ++i) y[i * columns + c] = x[i];
  }

  const ConvShape& s_;
  const float* const x_;
  const Epilogue& epilogue_;
  float* const y_;
  std::vector<const float*> weights_;
  std::vector<float> bias_;
  std::vector<EpilogueStep> own_;
  Epilogue after_;
};

}  // namespace

bool PixelLanesPay(const ConvShape& s) {
  return 2 * s.kw * s.oc <= LITE_ISA_PICK(kGemmTable).vector_width;
}

void PackPixelLanes(const float* weights, const ConvShape& s, PackedConvTranspose* packed) {
  const int64_t taps = s.kh * s.kw;
  packed->data = AlignedFloats::Lasting(taps * s.oc * s.ic);
  if (packed->data.packed()) return;
  float* out = packed->data.data();
  for (int64_t t = 0; t < taps; ++t)
    for (int64_t o = 0; o < s.oc; ++o)
      for (int64_t i = 0; i < s.ic; ++i) {
        const float weight = weights[(i * s.oc + o) * taps + t];
        *out++ = std::fpclassify(weight) == FP_SUBNORMAL ? 0 : weight;
      }
}

void ConvTransposePixelLanes(int threads, const ConvShape& s, const float* x,
                             const PackedConvTranspose& weights, const Epilogue& epilogue,
                             float* y) {
  PixelLanes(s, x, weights, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
