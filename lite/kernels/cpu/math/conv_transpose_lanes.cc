#include "lite/kernels/cpu/math/conv_transpose_lanes.h"

#include <algorithm>
#include <vector>

#include "lite/core/base/thread_pool.h"
#include "lite/kernels/cpu/math/isa_tables.h"
#include "lite/kernels/cpu/math/pixel_lanes.h"
#include "lite/kernels/cpu/math/work_split.h"

namespace paddle::lite::math {
namespace {

// A product whose rows are the kernel's positions and channels, and whose columns are the pixels of
// an input row; what it makes is then put in the order of the output.
class PixelLanes {
 public:
  PixelLanes(const ConvShape& s, const float* x, const PackedConvTranspose& w,
             const Epilogue& epilogue, float* y)
      : s_(s), x_(x), epilogue_(epilogue, s.kh * s.kw * s.oc, s.oc), y_(y) {
    for (int64_t r = 0; r < s.kh * s.kw * s.oc; ++r) weights_.push_back(w.data.data() + r * s.ic);
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
    const int64_t panel_floats = LaneRoom(s_.ic);
    const bool beside = epilogue_.HasMore();
    const int64_t out_rows = std::min(s_.kh, s_.oh - iy * s_.kh);
    float* const panels = static_cast<float*>(
        ThreadScratch((panel_floats + count * kLanePixels + (beside ? out_rows * row_floats : 0)) *
                      sizeof(float)));
    float* const sums = panels + panel_floats;
    float* const y = y_ + (image * s_.oh + iy * s_.kh) * row_floats;
    float* const out = beside ? sums + count * kLanePixels : y;
    const int64_t pixels = (s_.ow + s_.kw - 1) / s_.kw;
    for (int64_t first = 0; first < pixels; first += kLanePixels) {
      const int64_t here = std::min(kLanePixels, pixels - first);
      const int64_t inside = iy < s_.ih ? std::clamp<int64_t>(s_.iw - first, 0, here) : 0;
      if (inside > 0)
        MultiplyLanes(weights_.data(), count, s_.ic,
                      x_ + ((image * s_.ih + iy) * s_.iw + first) * s_.ic, s_.ic, inside, panels,
                      sums);
      // What the output padding adds has no input.
      for (int64_t r = 0; r < count && inside < here; ++r)
        std::fill(sums + r * kLanePixels + inside, sums + r * kLanePixels + here, 0.0f);
      epilogue_.RunOnLanes(count, here, sums, kLanePixels);
      const int64_t floats = std::min(here * columns, row_floats - first * columns);
      for (int64_t ky = 0; ky < out_rows; ++ky)
        Interleave(sums + ky * columns * kLanePixels, kLanePixels, columns, floats,
                   out + ky * row_floats + first * columns, columns);
    }
    if (beside)
      epilogue_.RunMore(out_rows * s_.ow, s_.oc, out, y, s_.oc,
                        (image * s_.oh + iy * s_.kh) * s_.ow);
  }

  const ConvShape& s_;
  const float* const x_;
  const LaneEpilogue epilogue_;
  float* const y_;
  std::vector<const float*> weights_;
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
      for (int64_t i = 0; i < s.ic; ++i) *out++ = WeightOfLanes(weights[(i * s.oc + o) * taps + t]);
}

void ConvTransposePixelLanes(int threads, const ConvShape& s, const float* x,
                             const PackedConvTranspose& weights, const Epilogue& epilogue,
                             float* y) {
  PixelLanes(s, x, weights, epilogue, y).Run(threads);
}

}  // namespace paddle::lite::math
