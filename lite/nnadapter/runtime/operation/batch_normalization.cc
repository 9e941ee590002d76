#include "lite/nnadapter/runtime/operation/normalization.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace
}  // namespace nnadapter::runtime
