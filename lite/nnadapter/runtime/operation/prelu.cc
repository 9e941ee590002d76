#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

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

}  // namespace
}  // namespace nnadapter::runtime
