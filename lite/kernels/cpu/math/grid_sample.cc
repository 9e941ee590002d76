#include "lite/kernels/cpu/math/grid_sample.h"

#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

void FindTaps(const LinearGrid& image, const float* grid, int64_t count, LinearTaps* taps) {
  LITE_ISA_PICK(kGridSampleTable).find(image, grid, count, taps);
}

void FindNearest(const LinearGrid& image, bool even, const float* grid, int64_t count,
                 LinearTaps* taps) {
  // Here, where nothing is contracted: a rounding of its own would move what lies between pixels.
  for (int64_t i = 0; i < count; ++i) {
    taps->weights[0][i] = PositionOf(grid[2 * i], image.width, image.align_corners);
    taps->weights[1][i] = PositionOf(grid[2 * i + 1], image.height, image.align_corners);
  }
  LITE_ISA_PICK(kGridSampleTable).find_nearest(image, even, count, taps);
}

void SampleTaps(const LinearGrid& image, const float* plane, const LinearTaps& taps, int64_t count,
                float* out) {
  LITE_ISA_PICK(kGridSampleTable).sample(plane, image.width, taps, count, out);
}

void SampleNearest(const float* plane, const LinearTaps& taps, int64_t count, float* out) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = taps.place[i] == LinearTaps::kInside ? plane[taps.base[i]] : 0;
}

}  // namespace paddle::lite::math
