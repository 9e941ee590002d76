#include <cmath>

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace
}  // namespace nnadapter::runtime
