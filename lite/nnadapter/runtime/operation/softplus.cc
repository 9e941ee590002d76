#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SOFTPLUS)
    .Doc("output = log(1 + exp(beta * input)) / beta, or input where beta * input > threshold.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Float("beta", "the factor, not 0")
    .Float("threshold", "above which the function is linear")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      c.Require(c.Float("beta") != 0, "beta is 0");
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

}  // namespace
}  // namespace nnadapter::runtime
