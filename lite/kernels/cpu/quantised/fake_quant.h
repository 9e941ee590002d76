// Simulated quantisation: numbers rounded to a grid of 2^bits - 1 steps, kept as floats.
#pragma once

#include <string>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// How a number x with the largest magnitude `scale` becomes a step of the grid, and back.
struct QuantGrid {
  float bound = 127;          // the largest step, 2^(bits - 1) - 1
  bool ties_to_even = false;  // then -bound - 1 is a step too, and x is not cut at -scale first
  bool dequantize = false;    // the output is the step's number, not the step

  // out[i] = the step of x[i], for `count` elements.
  void Apply(const float* x, int64_t count, float scale, float* out) const;
};

// The grid that the attributes bit_length and round_type of `op` describe.
QuantGrid GridOf(const OpLite& op, bool dequantize);

// The tensor as [outer, channels, inner] around `axis`; one channel for axis -1.
struct ChannelView {
  int64_t outer = 1, channels = 1, inner = 1;
};
ChannelView ViewChannels(const DDim& dims, int64_t axis);

// Throws ShapeError unless bit_length, round_type (0 or 1) and quant_axis (in X's rank; where the
// operator has these) make sense, DataTypeError unless X is fp32.
void CheckQuantAttrs(const InferContext& c);

// X, InScale [1] -> Out like X, OutScale [1]: fake_quantize_range_abs_max and its family.
OpInfo& DeclareStaticQuant(OpInfo& info);
template <bool kDequantize>
void RunStaticQuant(KernelContext& c);

// X -> Out like X, OutScale: the scale is the largest magnitude of X as it runs, [1], or one for
// each channel of quant_axis.
OpInfo& DeclareDynamicQuant(OpInfo& info, bool channel_wise);
template <bool kDequantize, bool kChannelWise>
void RunDynamicQuant(KernelContext& c);

// quantize_linear and dequantize_linear: X, Scale, ZeroPoint (not read, as in Paddle) -> Y.
OpInfo& DeclareLinearQuant(OpInfo& info);

}  // namespace paddle::lite
