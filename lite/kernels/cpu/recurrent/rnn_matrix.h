#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lite/core/tensor.h"
#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/gemm.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {

// Weights [N, K] whose rows are whole multiples of a scale each, of at most 256 steps from the
// smallest to the largest.
struct SteppedMatrix {
  math::PackedInt8 bytes;
  std::vector<float> scales, zeros;  // zeros: of columns of bytes that stand for 0, or none

  // Throws LiteError where a row has more steps, or none.
  SteppedMatrix(const Tensor& weight, const float* scales);
};

// One matrix of an rnn's weights, packed in either form.
struct RnnMatrix {
  std::shared_ptr<const math::PackedMatrix> reals;
  std::shared_ptr<const SteppedMatrix> steps;  // rows are rounded to 256 steps of what they hold

  bool empty() const { return reals == nullptr && steps == nullptr; }

  // C = epilogue(A * weights^T); rows of A have no gaps.
  void Multiply(int threads, int64_t rows, const float* a, float* c, int64_t ldc,
                const math::Epilogue& epilogue) const;
};

}  // namespace paddle::lite
