#include "lite/kernels/cpu/math/epilogue.h"

#include <vector>

#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math {

void RunSteps(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
              const EpilogueStep* steps, int step_count, int64_t rows_per_image) {
  LITE_ISA_PICK(kStepsTable)
      .run(rows, cols, x, ldx, y, ldy, steps, step_count, rows_per_image, 0, 0);
}

void RunEpilogue(int64_t rows, int64_t cols, const float* x, int64_t ldx, float* y, int64_t ldy,
                 const Epilogue& epilogue, int64_t row0, int64_t col0) {
  constexpr int kOwn = 2, kOnStack = 16;
  EpilogueStep local[kOnStack];
  std::vector<EpilogueStep> many;
  EpilogueStep* all = local;
  if (epilogue.step_count > kOnStack - kOwn) {
    many.resize(epilogue.step_count + kOwn);
    all = many.data();
  }
  int count = 0;
  if (epilogue.bias != nullptr) {
    all[count].op = EpilogueStep::kAdd;
    all[count].data = epilogue.bias;
    all[count++].col_stride = 1;
  }
  if (epilogue.act.kind != Act::kNone) all[count++].act = epilogue.act;
  for (int i = 0; i < epilogue.step_count; ++i) all[count++] = epilogue.steps[i];
  LITE_ISA_PICK(kStepsTable)
      .run(rows, cols, x, ldx, y, ldy, all, count, epilogue.rows_per_image, row0, col0);
}

}  // namespace paddle::lite::math
