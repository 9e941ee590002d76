#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(GELU)
    .Doc("output = input * P(X <= input) for a standard normal X, element by element.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Bool("approximate",
          "whether the tanh approximation is taken: 0.5 * input * (1 + "
          "tanh(sqrt(2 / pi) * (input + 0.044715 * input^3)))")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

}  // namespace
}  // namespace nnadapter::runtime
