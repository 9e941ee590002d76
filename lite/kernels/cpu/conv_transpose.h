// What conv2d_transpose and depthwise_conv2d_transpose share.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/window.h"

namespace paddle::lite {

// Slots Input [N, C, H, W], Filter [C, M / groups, kh, kw], Bias [M], OutputSizeTensor,
// OutputSizeTensorList, Output [N, M, H', W'].
OpInfo& DeclareConvTranspose(OpInfo& info);

void InferConvTranspose(InferContext& c);

// In plain loops over row-major tensors of float or double.
void RunConvTransposeReference(KernelContext& c);

}  // namespace paddle::lite
