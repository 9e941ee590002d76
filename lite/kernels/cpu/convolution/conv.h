// What conv2d, depthwise_conv2d and conv3d share: declaration, shape inference and the reference.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/pooling/window.h"

namespace paddle::lite {

// Slots Input [N, C, spatial...], Filter [M, C / groups, kernel...], Bias [M], ResidualData (like
// Output), Output; attributes of the convolution and of the activation folded into it.
OpInfo& DeclareConv(OpInfo& info, int spatial_rank);

// Output [N, M, spatial...]; validates all that the kernels rely on.
void InferConv(InferContext& c, int rank);

// Convolution in plain loops over row-major tensors of float or double.
void RunConvReference(KernelContext& c);

// The windows of a convolution whose shapes inference has accepted.
Windows ConvWindows(const OpLite& op, const DDim& input, const DDim& filter);

// Throws ShapeError unless the optional input Bias has `channels` elements, DataTypeError unless it
// is of the type of Input.
void RequireConvBias(const InferContext& c, int64_t channels);

}  // namespace paddle::lite
