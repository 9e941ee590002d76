// What conv2d_transpose, depthwise_conv2d_transpose and conv3d_transpose share.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/pooling/window.h"

namespace paddle::lite {

// Slots Input [N, C, spatial...], Filter [C, M / groups, kernel...], Bias [M], OutputSizeTensor,
// OutputSizeTensorList, Output [N, M, spatial...].
OpInfo& DeclareConvTranspose(OpInfo& info, int spatial_rank);

// In plain loops over row-major tensors of float or double.
void RunConvTransposeReference(KernelContext& c);

}  // namespace paddle::lite
