#include "lite/kernels/cpu/math/grid_sample.h"

#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

void FindTaps(const GridImage& image, const float* grid, int64_t count, GridTaps* taps) {
  LITE_ISA_PICK(kGridSampleTable).find(image, grid, count, taps);
}

void FindNearest(const GridImage& image, bool even, const float* grid, int64_t count,
                 GridTaps* taps) {
  // Here, where nothing is contracted: a rounding of its own would move what lies between pixels.
  alignas(64) float xs[GridTaps::kMost], ys[GridTaps::kMost];
  for (int64_t i = 0; i < count; ++i) {
    xs[i] = PositionOf(grid[2 * i], image.width, image.align_corners);
    ys[i] = PositionOf(grid[2 * i + 1], image.height, image.align_corners);
  }
  LITE_ISA_PICK(kGridSampleTable).find_nearest(image, even, xs, ys, count, taps);
}

void SampleTaps(const GridImage& image, const float* plane, const GridTaps& taps, int64_t count,
                float* out) {
  LITE_ISA_PICK(kGridSampleTable).sample(plane, image.width, taps, count, out);
}

void SampleNearest(const float* plane, const GridTaps& taps, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = taps.place[i] == GridTaps::kInside ? plane[taps.base[i]] : 0;
}

}  // namespace paddle::lite::math
