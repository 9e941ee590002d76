#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

// Throws Error where both are constants and min is not below max.
void RequireOrder(const InferContext& c) {
  if (!c.IsConstant("min") || !c.IsConstant("max")) return;
  const int32_t low = c.Precision("min"), high = c.Precision("max");
  if (IsQuantized(low) || IsQuantized(high)) return;
  if (PrecisionBit(low) & kIndex)
    c.Require(c.Int("min") <= c.Int("max"), "min is ", c.Int("min"), " and max is ", c.Int("max"),
              ", expected min <= max");
  else if ((kFloat32 | PrecisionBit(NNADAPTER_FLOAT64)) & PrecisionBit(low))
    c.Require(c.Float("min") <= c.Float("max"), "min is ", c.Float("min"), " and max is ",
              c.Float("max"), ", expected min <= max");
}

void Infer(InferContext& c) {
  for (const char* name : {"min", "max"}) {
    RequireCount(c, name, 1);
    RequireSameReal(c, name, "input");
  }
  RequireOrder(c);
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
