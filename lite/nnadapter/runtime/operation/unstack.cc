#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(UNSTACK)
    .Doc("The parts of a tensor along an axis, without the axis.")
    .Input("input", kAny, "a tensor")
    .Int("axis", "the axis in [-R, R)")
    .Int("num", "the number of parts, which is the dimension of the axis")
    .Outputs("output", "num tensors of the type of input")
    .Infer([](InferContext& c) {
      Dims out = c.DimsOf("input");
      const int axis = CanonicalAxis(c, c.Int("axis"), static_cast<int>(out.size()));
      const int32_t size = out[static_cast<size_t>(axis)];
      const int64_t parts = static_cast<int64_t>(c.OutputCount("output")), num = c.Int("num");
      c.Require(num == parts && (size == kUnknown || size == num), "num is ", num, ", there are ",
                parts, " outputs, and axis ", axis, " of input of shape ", DimsText(out),
                " is unstacked; expected one number");
      out.erase(out.begin() + axis);
      const auto values = c.Values("input");
      for (size_t i = 0; i < c.OutputCount("output"); ++i) {
        c.SetOutput("output", c.Precision("input"), out, i);
        if (values && out.empty() && i < values->size()) c.SetValues("output", {(*values)[i]}, i);
      }
    });

}  // namespace
}  // namespace nnadapter::runtime
