#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

constexpr PrecisionSet kPadded = kBool | kNumbers | kQuantized;

void Infer(InferContext& c) {
  Dims dims = c.DimsOf("input");
  const Dims pads = ShapeListOf(c, "pads");
  const int64_t mode = c.Int("mode");
  c.Require(mode >= NNADAPTER_PAD_MODE_NONE && mode <= NNADAPTER_PAD_MODE_EDGE, "mode is ", mode,
            ", expected 0 or 1 (constant), 2 (reflect), 3 (replicate) or 4 (edge)");
  const bool constant = mode <= NNADAPTER_PAD_MODE_CONSTANT;
  c.Require(pads.size() == 2 * dims.size(), "pads has ", pads.size(),
            " numbers, expected two for each dimension of input of shape ", DimsText(dims));
  if (c.Has("value")) {
    const int32_t value = c.Precision("value"), input = c.Precision("input");
    c.Require(value == input || (IsQuantized(input) && value == NNADAPTER_FLOAT32), "value is ",
              PrecisionName(value), ", but input is ", PrecisionName(input));
    const Dims shape = c.DimsOf("value");
    c.Require(Product(shape, 0, shape.size()) == 1, "value has shape ", DimsText(shape),
              ", expected one number");
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    const int32_t before = pads[2 * i], after = pads[2 * i + 1];
    for (const int32_t pad : {before, after}) {
      if (pad == kUnknown) continue;
      c.Require(pad >= 0, "pads is ", DimsText(pads), ", expected numbers from 0");
      if (constant || pad == 0 || dims[i] == kUnknown) continue;
      c.Require(dims[i] > (mode == NNADAPTER_PAD_MODE_REFLECT ? pad : 0), "dimension ", i,
                " of input of shape ", DimsText(c.DimsOf("input")), " cannot be padded by ", pad,
                " in this mode");
    }
    const bool known = dims[i] != kUnknown && before != kUnknown && after != kUnknown;
    dims[i] = known ? ToDim(c, int64_t{dims[i]} + before + after) : kUnknown;
  }
  c.SetOutput("output", c.Precision("input"), dims);
}

REGISTER_OPERATION(PAD)
    .Doc("Adds elements around a tensor.")
    .Input("input", kPadded, "a tensor")
    .Shape("pads", "[x0_begin, x0_end, x1_begin, x1_end, ...]: two numbers a dimension")
    .Int("mode",
         "an NNAdapterPadModeCode: constant (also none), reflect (without the edge itself), "
         "replicate or edge (the same: the nearest element)")
    .OptionalInput("value", kPadded, "one number of the type of input for mode constant; else 0")
    .Output("output", "of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
