// How the windows of convolutions and poolings slide over images of shape [N, C, H, W].
#pragma once

#include <array>
#include <cstdint>

#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

// Along one axis of an image.
struct Window {
  int64_t kernel = 1, stride = 1, dilation = 1, pad_before = 0, pad_after = 0;
  // Input elements from the first to the last tap.
  int64_t span() const { return dilation * (kernel - 1) + 1; }
};

// Throws Error unless `name` is an NCHW operand of rank 4.
void RequireImages(const InferContext& c, const char* name);

// Two numbers of at least `least`, for height and width; throws Error naming the operand.
std::array<int64_t, 2> PairOf(const InferContext& c, const char* name, int64_t least);

// The window along axis 0 (height) or 1 (width) over `input` elements. Reads auto_pad where the
// operation has one, pads, strides and, if `dilated`, dilations; AUTO_PAD_SAME pads for
// ceil(input / stride) windows and makes a dilation 1.
Window WindowOf(const InferContext& c, size_t axis, int32_t input, int64_t kernel, bool dilated);

// How many windows fit into `input` elements, rounded up in ceil_mode; NNADAPTER_UNKNOWN where the
// input is. Throws Error where none does.
int32_t WindowCount(const InferContext& c, const Window& window, int32_t input, bool ceil_mode);

}  // namespace nnadapter::runtime
