#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(FILL_LIKE)
    .Doc("Makes a tensor of one value and another tensor's shape.")
    .Input("input", kAny, "a tensor; only its shape counts")
    .Input("value", kBool | kIndex | kFloat32, "one number, the value of every element")
    .Output("output", "of the type of value and the shape of input")
    .Infer([](InferContext& c) {
      RequireCount(c, "value", 1);
      c.SetOutput("output", c.Precision("value"), c.DimsOf("input"));
    });

}  // namespace
}  // namespace nnadapter::runtime
