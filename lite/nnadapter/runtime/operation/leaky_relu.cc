#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(LEAKY_RELU)
    .Doc("output = input where input >= 0, alpha * input elsewhere.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Float("alpha", "the slope of negative numbers")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

}  // namespace
}  // namespace nnadapter::runtime
