#include "lite/nnadapter/runtime/operation/normalization.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace
}  // namespace nnadapter::runtime
