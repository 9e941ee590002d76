// Operators that multiply in integers: their activation is rounded as they read it, their weight
// is stored in int8, and exact sums become floats once.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {

// Attributes that count where the weight is int8; they are ours, made when a file is read. As in
// calib: `int8_scale` is what the integer 1 of the activation stands for, `int8_threshold`, where
// it is not 0, 127 times that before it was rounded. `int8_weight_scales` are one number or one for
// each output channel. Where `int8_zero_byte` is not -1, the activation is x / int8_scale rounded
// to even, and held within the 256 steps of which that byte, without sign, stands for 0. With an
// `int8_scale` of 0 the activation is not rounded: the operator
// multiplies floats, as which it reads the weight.
OpInfo& DeclareInt8(OpInfo& info);

// int8_weight_scales alone: the activation is rounded to 256 steps of what it holds in a run.
OpInfo& DeclareDynamicInt8(OpInfo& info);

// Whether the operator multiplies in integers: the input `slot` is int8, and it can.
bool IsInt8(const InferContext& c, const char* slot);

// Of an operator that declares either.
bool RoundsByContents(const OpLite& op);
// Whether the weight alone is int8.
bool OnlyWeightIsInt8(const OpLite& op);

// Throws ShapeError unless the attributes make sense for an int8 weight of so many output channels
// with so many summands each.
void RequireInt8(const InferContext& c, const char* slot, int64_t channels, int64_t summands);

struct Int8Input {
  math::Int8Rounding rounding;
  float step;  // what the integer 1 stands for
  // The multiple of step to which x is rounded.
  float Round(float x) const;
};
Int8Input Int8InputOf(const Int8Form& form);
Int8Input Int8InputOf(const OpLite& op);
// The same of its input `slot` in this run.
Int8Input Int8InputOf(const KernelContext& c, const char* slot);

// 256 steps from the smallest to the largest of `count` numbers, of which one is 0:
// DynamicQuantizeLinear of ONNX.
Int8Form FormOfContents(const float* x, int64_t count, int threads);

// What each byte without sign stands for.
std::array<float, 256> NumbersOfBytes(const Int8Form& form);

// One scale for each of `channels`.
std::vector<float> Int8WeightScales(const OpLite& op, int64_t channels);

// Tells packed forms of a weight apart that differ in its scales.
std::string WeightScalesText(const OpLite& op);

// The scaling that the operator's attributes give its packed weight, and `input`.
math::Int8Scaling Int8ScalingOf(const OpLite& op, const Int8Input& input,
                                const math::PackedInt8& weights);

}  // namespace paddle::lite
