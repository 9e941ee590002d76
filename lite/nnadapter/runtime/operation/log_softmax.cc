#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

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
