// Activations.
#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(RELU)
    .Doc("output = max(0, input), element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(RELU6)
    .Doc("output = min(6, max(0, input)), element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(LEAKY_RELU)
    .Doc("output = input where input >= 0, alpha * input elsewhere.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Float("alpha", "the slope of negative numbers")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

REGISTER_OPERATION(PRELU)
    .Doc("output = input where it is positive, else slope * input.")
    .Input("input", kFloats | kQuantized, "of shape [N, C, ...]")
    .Input("slope", kFloats | kQuantized,
           "one slope, C slopes, or one for each element of [C, ...]")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
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
      c.Require(fits, "slope has shape ", DimsText(slope), ", expected 1, ", channels, " or ",
                elements, " slopes for input of shape ", DimsText(input));
      c.SetOutput("output", c.Precision("input"), input);
    });

REGISTER_OPERATION(SIGMOID)
    .Doc("output = 1 / (1 + exp(-input)), element by element.")
    .Like(Unary(kFloats | kQuantized));

REGISTER_OPERATION(HARD_SIGMOID)
    .Doc("output = max(0, min(1, alpha * input + beta)), element by element.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Float("alpha", "the slope")
    .Float("beta", "the offset")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

REGISTER_OPERATION(HARD_SWISH)
    .Doc("output = input * max(0, min(1, alpha * input + beta)), element by element.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Float("alpha", "the slope")
    .Float("beta", "the offset")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

REGISTER_OPERATION(SWISH)
    .Doc("output = input / (1 + exp(-input)), element by element.")
    .Like(Unary(kFloats | kQuantized));

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

REGISTER_OPERATION(GELU)
    .Doc("output = input * P(X <= input) for a standard normal X, element by element.")
    .Input("input", kFloats | kQuantized, "a tensor")
    .Bool("approximate",
          "whether the tanh approximation is taken: 0.5 * input * (1 + "
          "tanh(sqrt(2 / pi) * (input + 0.044715 * input^3)))")
    .Output("output", "of the type and shape of input")
    .Infer(InferSameAs("input", "output"));

REGISTER_OPERATION(TANH)
    .Doc("The hyperbolic tangent, element by element.")
    .Like(Unary(kFloats | kQuantized));

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
