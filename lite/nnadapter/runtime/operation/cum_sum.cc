#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(CUM_SUM)
    .Doc("The sums of the elements up to each one along an axis.")
    .Input("input", kFloats | kIndex | kQuantized, "a tensor of rank 1 or more")
    .Int("axis", "the axis in [-R, R), R the rank of input")
    .Bool("exclusive", "whether an element is left out of its own sum")
    .Bool("reverse", "whether the sums start at the end of the axis")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

}  // namespace
}  // namespace nnadapter::runtime
