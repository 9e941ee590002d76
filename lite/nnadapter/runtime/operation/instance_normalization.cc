#include "lite/nnadapter/runtime/operation/normalization.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace
}  // namespace nnadapter::runtime
