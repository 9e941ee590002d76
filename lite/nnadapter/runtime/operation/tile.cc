#include <algorithm>

#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(TILE)
    .Doc("Repeats a tensor along its axes.")
    .Input("input", kAny, "a tensor")
    .Shape("repeats",
           "how often each axis is repeated; the shorter of the two, it or the shape, has 1 in "
           "front")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      const Dims input = c.DimsOf("input"), repeats = ShapeListOf(c, "repeats");
      Dims out(std::max(input.size(), repeats.size()));
      for (size_t i = 0; i < out.size(); ++i) {
        const size_t of_input = i + input.size(), of_repeats = i + repeats.size();
        const int32_t dim = of_input < out.size() ? 1 : input[of_input - out.size()];
        const int32_t times = of_repeats < out.size() ? 1 : repeats[of_repeats - out.size()];
        c.Require(times == kUnknown || times > 0, "repeats is ", DimsText(repeats),
                  ", expected numbers from 1");
        const bool known = dim != kUnknown && times != kUnknown;
        out[i] = known ? ToDim(c, int64_t{dim} * times) : kUnknown;
      }
      c.SetOutput("output", c.Precision("input"), out);
    });

}  // namespace
}  // namespace nnadapter::runtime
