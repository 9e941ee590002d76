#include "lite/nnadapter/runtime/operation/conv.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(CHANNEL_SHUFFLE)
    .Doc(
        "Reorders the channels so that neighbours come from different groups: channel g * (C / "
        "group) + k becomes channel k * group + g.")
    .Input("input", kAny, "[N, C, H, W]")
    .Int("group", "the number of groups, a divisor of C")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      RequireImages(c, "input");
      const int64_t group = GroupOf(c);
      const Dims dims = c.DimsOf("input");
      c.Require(dims[1] == NNADAPTER_UNKNOWN || dims[1] % group == 0, "group is ", group,
                ", expected a divisor of the ", dims[1], " channels");
      c.SetOutput("output", c.Precision("input"), dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
