#include "lite/nnadapter/runtime/operation/normalization.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace
}  // namespace nnadapter::runtime
