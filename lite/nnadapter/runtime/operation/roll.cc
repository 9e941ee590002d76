#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ROLL)
    .Doc("Moves elements along axes; what leaves at the end comes back at the beginning.")
    .Input("input", kAny, "a tensor")
    .Ints("shifts", "how far each axis is moved")
    .OptionalInts("axes",
                  "the axes in [-R, R); absent or empty: one shift of all elements in a row")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      const auto shifts = c.Ints("shifts");
      const auto axes = c.Has("axes") ? c.Ints("axes") : std::vector<int64_t>{};
      const size_t expected = axes.empty() ? 1 : axes.size();
      c.Require(shifts.size() == expected, "shifts has ", shifts.size(), " numbers, expected ",
                expected);
      for (const int64_t axis : axes) CanonicalAxis(c, axis, c.Rank("input"), "an element of axes");
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

}  // namespace
}  // namespace nnadapter::runtime
