// one_hot and one_hot_v2.
#pragma once

#include "lite/kernels/cpu/creation/fill.h"

namespace paddle::lite {

// Out has X's shape (without `dropped` last dimensions) and a dimension of depth.
void InferOneHot(InferContext& c, int dropped);
void OneHot(KernelContext& c);

}  // namespace paddle::lite
