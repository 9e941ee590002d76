#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(DEQUANTIZE)
    .Doc("output = (input - zero point) * scale; both belong to the type of input.")
    .Input("input", kQuantized, "a quantised tensor")
    .Output("output", "FLOAT32, of the shape of input")
    .Infer([](InferContext& c) { c.SetOutput("output", NNADAPTER_FLOAT32, c.DimsOf("input")); });

}  // namespace
}  // namespace nnadapter::runtime
