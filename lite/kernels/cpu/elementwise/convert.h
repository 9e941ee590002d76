// Conversion between element types.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// out = x as `dtype`, in x's memory order. Floating point numbers are cut off towards zero, complex
// ones lose their imaginary part (bool tells whether either part is not zero).
void ConvertElements(const Tensor& x, Tensor* out, DataType dtype, int threads);

}  // namespace paddle::lite
