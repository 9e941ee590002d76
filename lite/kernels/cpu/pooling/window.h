// Window: how a convolution or a pooling slides along one spatial axis.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lite/core/dim.h"
#include "lite/core/op_lite.h"

namespace paddle::lite {

struct Window {
  int64_t kernel = 1, stride = 1, dilation = 1, pad_before = 0, pad_after = 0;
  // Input elements from the first to the last tap.
  int64_t span() const { return dilation * (kernel - 1) + 1; }
};

constexpr int kMaxSpatialRank = 3;
using Windows = std::array<Window, kMaxSpatialRank>;

// Sizes along a spatial axis stay below this, so that products of two never overflow.
constexpr int64_t kMaxSpatialSize = int64_t{1} << 31;

// The windows of an operator with attributes strides, paddings (one or two values an axis),
// padding_algorithm and, if `dilated`, dilations. `input` and `kernel` point to `rank` sizes.
// SAME pads for ceil(input / stride) outputs and, as in Paddle, makes a dilation 1.
// Throws ShapeError where an attribute has a wrong length or a value out of range.
Windows ResolveWindows(const OpLite& op, int rank, const int64_t* input, const int64_t* kernel,
                       bool dilated);

// (input + paddings - span) / stride + 1, rounded down, or up in ceil_mode; throws ShapeError
// unless that is positive.
int64_t ConvOutputSize(int64_t input, const Window& window, bool ceil_mode = false);

// Throws LiteError unless the attribute `name` says that channels stand before the spatial axes.
void RequireChannelsFirst(const OpLite& op, const char* name);

// The attribute's list as long numbers; throws ShapeError unless it has `count` values.
std::vector<int64_t> IntsAttr(const OpLite& op, const char* name, size_t count);

}  // namespace paddle::lite
