#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(FLATTEN)
    .Doc("Makes one axis of several neighbouring ones.")
    .Input("input", kAny, "a tensor of rank 1 or more")
    .Int("start_axis", "the first of the axes, in [-R, R), R the rank of input")
    .Int("end_axis", "the last of the axes, in [-R, R), not before start_axis")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      const Dims input = c.DimsOf("input");
      const int rank = c.Rank("input");
      const int start = CanonicalAxis(c, c.Int("start_axis"), rank, "start_axis");
      const int end = CanonicalAxis(c, c.Int("end_axis"), rank, "end_axis");
      c.Require(start <= end, "start_axis ", start, " is after end_axis ", end);
      Dims output(input.begin(), input.begin() + start);
      const int64_t joined =
          Product(input, static_cast<size_t>(start), static_cast<size_t>(end) + 1);
      output.push_back(joined == kUnknown ? kUnknown : ToDim(c, joined));
      output.insert(output.end(), input.begin() + end + 1, input.end());
      c.SetOutput("output", c.Precision("input"), output);
      PassValues(c, "input", "output", output.size());
    });

}  // namespace
}  // namespace nnadapter::runtime
