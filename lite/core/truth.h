// Bool tensors from outside, in which any byte but 0 is true: see base/truth.h.
#pragma once

#include "lite/core/tensor.h"

namespace paddle::lite {

// Whether it is a bool tensor with a byte that is neither 0 nor 1.
bool HasOtherTruth(const Tensor& tensor);

// Writes 1 for true in the tensor's own memory.
void MakePlainTruth(Tensor* tensor);

// The tensor itself, or a copy with plain truth: its memory may be a caller's or a file's.
Tensor WithPlainTruth(Tensor tensor);

}  // namespace paddle::lite
