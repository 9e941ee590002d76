#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
  for (const char* name : {"min", "max"}) {
    RequireCount(c, name, 1);
    RequireSameReal(c, name, "input");
  }
  const bool constant = c.IsConstant("min") && c.IsConstant("max");
  if (constant && (kFloat32 & PrecisionBit(c.Precision("min"))) != 0 &&
      c.Precision("max") == c.Precision("min"))
    c.Require(c.Float("min") <= c.Float("max"), "min is ", c.Float("min"), " and max is ",
              c.Float("max"), ", expected min <= max");
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

REGISTER_OPERATION(CLIP)
    .Doc("output = min(max(input, min), max), element by element.")
    .Input("input", kFloats | kIndex | kQuantized, "a tensor")
    .Input("min", kFloats | kIndex | kQuantized, "one number of the type of input")
    .Input("max", kFloats | kIndex | kQuantized, "one number of the type of input")
    .Output("output", "of the type and shape of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
