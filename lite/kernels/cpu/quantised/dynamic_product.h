#pragma once

#include <cstdint>

#include "lite/kernels/cpu/math/epilogue.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {

// Weights of bytes Y [K, N] by which rows are multiplied that are rounded to 256 steps of what they
// hold. A weight is (Y - zeros) times scales, of its column.
struct DynamicProduct {
  const math::PackedInt8& weights;
  const float* scales;
  const float* zeros = nullptr;  // null: all are 0

  // C = epilogue(rounded X * weights), as math::Gemm; the epilogue is of one image.
  void Run(int threads, int64_t rows, const float* x, float* c, int64_t ldc,
           const math::Epilogue& epilogue) const;
};

}  // namespace paddle::lite
