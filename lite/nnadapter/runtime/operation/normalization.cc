// Normalisations and softmax.
#include <cmath>
#include <initializer_list>

#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {
namespace {

// Throws Error unless input is [N, C, ...] of at least `rank` dimensions.
void RequireChannels(const InferContext& c, int rank) {
  c.Require(c.Rank("input") >= rank, "input has shape ", DimsText(c.DimsOf("input")),
            ", expected [N, C, ...] of rank ", rank, " or more");
}

// Throws Error unless the operands that are present have `count` elements of input's type, and
// epsilon is a number of at least 0.
void CheckParameters(const InferContext& c, std::initializer_list<const char*> names,
                     int64_t count) {
  for (const char* name : names) {
    RequireCount(c, name, count);
    RequireSameReal(c, name, "input");
  }
  const float epsilon = c.Float("epsilon");
  c.Require(std::isfinite(epsilon) && epsilon >= 0, "epsilon is ", epsilon,
            ", expected a number of at least 0");
}

REGISTER_OPERATION(BATCH_NORMALIZATION)
    .Doc("output = scale * (input - mean) / sqrt(variance + epsilon) + bias for each channel.")
    .Input("input", kFloats | kQuantized, "[N, C, ...]")
    .Input("scale", kFloats | kQuantized, "[C]")
    .Input("bias", kFloats | kQuantized, "[C]")
    .Input("mean", kFloats | kQuantized, "[C]")
    .Input("variance", kFloats | kQuantized, "[C]")
    .Float("epsilon", "a small number of at least 0")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      RequireChannels(c, 2);
      CheckParameters(c, {"scale", "bias", "mean", "variance"}, c.DimsOf("input")[1]);
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

REGISTER_OPERATION(INSTANCE_NORMALIZATION)
    .Doc(
        "output = scale * (input - mean) / sqrt(variance + epsilon) + bias, where mean and "
        "variance are those of each channel of each instance.")
    .Input("input", kFloats | kQuantized, "[N, C, ...] of rank 3 or more")
    .OptionalInput("scale", kFloats | kQuantized, "[C]; absent: ones")
    .OptionalInput("bias", kFloats | kQuantized, "[C]; absent: zeros")
    .Float("epsilon", "a small number of at least 0")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      RequireChannels(c, 3);
      CheckParameters(c, {"scale", "bias"}, c.DimsOf("input")[1]);
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

REGISTER_OPERATION(LAYER_NORMALIZATION)
    .Doc(
        "output = scale * (input - mean) / sqrt(variance + epsilon) + bias, where mean and "
        "variance are those of all elements from axis begin_norm_axis on.")
    .Input("input", kFloats | kQuantized, "a tensor of rank 1 or more")
    .OptionalInput("scale", kFloats | kQuantized,
                   "as many elements as input has from begin_norm_axis on; absent: ones")
    .OptionalInput("bias", kFloats | kQuantized, "like scale; absent: zeros")
    .Int("begin_norm_axis", "the first axis that is normalised, in [-R, R), R the rank of input")
    .Float("epsilon", "a small number of at least 0")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      const Dims dims = c.DimsOf("input");
      const int begin =
          CanonicalAxis(c, c.Int("begin_norm_axis"), c.Rank("input"), "begin_norm_axis");
      CheckParameters(c, {"scale", "bias"}, Product(dims, static_cast<size_t>(begin), dims.size()));
      c.SetOutput("output", c.Precision("input"), dims);
    });

REGISTER_OPERATION(GROUP_NORMALIZATION)
    .Doc(
        "output = scale * (input - mean) / sqrt(variance + epsilon) + bias, where mean and "
        "variance are those of each group of neighbouring channels of each instance.")
    .Input("input", kFloats | kQuantized, "[N, C, ...] of rank 3 or more")
    .OptionalInput("scale", kFloats | kQuantized, "[C]; absent: ones")
    .OptionalInput("bias", kFloats | kQuantized, "[C]; absent: zeros")
    .Float("epsilon", "a small number of at least 0")
    .Int("groups", "the number of groups, a divisor of C")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      RequireChannels(c, 3);
      const int32_t channels = c.DimsOf("input")[1];
      const int64_t groups = GroupOf(c, "groups");
      c.Require(channels == NNADAPTER_UNKNOWN || channels % groups == 0, "groups is ", groups,
                ", expected a divisor of the ", channels, " channels");
      CheckParameters(c, {"scale", "bias"}, channels);
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

REGISTER_OPERATION(LP_NORMALIZATION)
    .Doc(
        "Divides by a norm along axes: output = input / (sum(|input|) + epsilon) for p = 1, "
        "input / (sqrt(sum(input^2)) + epsilon) for p = 2.")
    .Input("input", kFloats | kQuantized, "a tensor of rank 1 or more")
    .Ints("axis", "one or more axes in [-R, R), R the rank of input")
    .Int("p", "1 or 2")
    .Float("epsilon", "a small number of at least 0")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      const std::vector<int64_t> axes = c.Ints("axis");
      c.Require(!axes.empty(), "axis is empty, expected one axis or more");
      for (const int64_t axis : axes) CanonicalAxis(c, axis, c.Rank("input"));
      const int64_t p = c.Int("p");
      c.Require(p == 1 || p == 2, "p is ", p, ", expected 1 or 2");
      const float epsilon = c.Float("epsilon");
      c.Require(std::isfinite(epsilon) && epsilon >= 0, "epsilon is ", epsilon,
                ", expected a number of at least 0");
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

REGISTER_OPERATION(LRN)
    .Doc(
        "Local response normalisation: output = input / (bias + alpha * s)^beta, where s is the "
        "sum of the squares of `size` neighbouring channels, (size - 1) / 2 of them before.")
    .Input("input", kFloats | kQuantized, "[N, C, H, W]")
    .Int("size", "how many channels are summed, at least 1")
    .Float("bias", "a positive number keeps the base from 0")
    .Float("alpha", "the factor of the sum")
    .Float("beta", "the exponent")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      RequireImages(c, "input");
      const int64_t size = c.Int("size");
      c.Require(size >= 1 && size <= INT32_MAX, "size is ", size,
                ", expected a number of at least 1");
      for (const char* name : {"bias", "alpha", "beta"}) c.Float(name);
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

REGISTER_OPERATION(SOFTMAX)
    .Doc("Applies softmax along an axis.")
    .Input("input", kFloats | kQuantized, "a tensor of rank 1 or more")
    .Int("axis", "the axis in [-R, R), R the rank of input")
    .Output("output", "of the shape and type of input")
    .Infer([](InferContext& c) {
      CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

REGISTER_OPERATION(LOG_SOFTMAX)
    .Doc("The logarithm of softmax along an axis.")
    .Input("input", kFloats | kQuantized, "a tensor of rank 1 or more")
    .Int("axis", "the axis in [-R, R), R the rank of input")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

}  // namespace
}  // namespace nnadapter::runtime
