#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(HARD_SIGMOID)
    .Doc("output = max(0, min(1, alpha * input + beta)), element by element.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Float("alpha", "the slope")
    .Float("beta", "the offset")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

}  // namespace
}  // namespace nnadapter::runtime
