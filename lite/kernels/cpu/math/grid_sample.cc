#include "lite/kernels/cpu/math/grid_sample.h"

#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

void FindTaps(const LinearGrid& image, const float* grid, int64_t count, LinearTaps* taps) {
  LITE_ISA_PICK(kGridSampleTable).find(image, grid, count, taps);
}

void SampleTaps(const LinearGrid& image, const float* plane, const LinearTaps& taps, int64_t count,
                float* out) {
  LITE_ISA_PICK(kGridSampleTable).sample(plane, image.width, taps, count, out);
}

}  // namespace paddle::lite::math
