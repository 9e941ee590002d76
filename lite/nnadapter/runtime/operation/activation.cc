// Activations.
#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

INFER(RELU) { InferSame(c); }

INFER(RELU6) { InferSame(c); }

INFER(LEAKY_RELU) { InferSame(c); }

INFER(PRELU) {
  const Dims input = c.DimsOf("input"), slope = c.DimsOf("slope");
  const int32_t of_input = c.Precision("input"), of_slope = c.Precision("slope");
  c.Require(of_input == of_slope || IsQuantized(of_input), "input is ", PrecisionName(of_input),
            " and slope is ", PrecisionName(of_slope), ", expected one type");
  const int64_t count = Product(slope, 0, slope.size());
  const int64_t channels = input.size() > 1 ? input[1] : 1;
  const int64_t elements = input.empty() ? 1 : Product(input, 1, input.size());
  const bool fits = count == NNADAPTER_UNKNOWN || count == 1 || count == channels ||
                    count == elements || channels == NNADAPTER_UNKNOWN ||
                    elements == NNADAPTER_UNKNOWN;
  c.Require(fits, "slope has shape ", DimsText(slope), ", expected 1, ", channels, " or ", elements,
            " slopes for input of shape ", DimsText(input));
  c.SetOutput("output", c.Precision("input"), input);
}

INFER(SIGMOID) { InferSame(c); }

INFER(HARD_SIGMOID) { InferSame(c); }

INFER(HARD_SWISH) { InferSame(c); }

INFER(SWISH) { InferSame(c); }

INFER(SOFTPLUS) {
  c.Require(c.Float("beta") != 0, "beta is 0");
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(GELU) { InferSame(c); }

INFER(TANH) { InferSame(c); }

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

}  // namespace

INFER(CLIP) {
  for (const char* name : {"min", "max"}) {
    RequireCount(c, name, 1);
    RequireSameReal(c, name, "input");
  }
  RequireOrder(c);
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

}  // namespace nnadapter::runtime
