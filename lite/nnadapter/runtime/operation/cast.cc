#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(CAST)
    .Doc(
        "Converts the elements to another type; real numbers lose their fraction when they become "
        "integers.")
    .Input("input", kBool | kNumbers, "a tensor")
    .Int("dtype", "the new type, an NNAdapterOperandPrecisionCode that is not quantised")
    .Output("output", "of type dtype and the shape of input")
    .Infer([](InferContext& c) {
      const int64_t dtype = c.Int("dtype");
      c.Require(dtype >= NNADAPTER_BOOL8 && dtype <= NNADAPTER_FLOAT64, "dtype is ", dtype,
                ", expected the code of a type from 0 (BOOL8) to 11 (FLOAT64)");
      const auto to = static_cast<int32_t>(dtype);
      c.SetOutput("output", to, c.DimsOf("input"));
      if ((PrecisionBit(to) & kIndex) && (PrecisionBit(c.Precision("input")) & kIndex))
        PassValues(c, "input", "output", static_cast<size_t>(c.Rank("input")));
    });

}  // namespace
}  // namespace nnadapter::runtime
