#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(TRANSPOSE)
    .Doc("Permutes the axes of a tensor, as numpy.transpose.")
    .Input("input", kAny, "a tensor")
    .OptionalInts("perm", "the axis of input that each axis of output is; reversed if absent")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      const Dims input = c.DimsOf("input");
      const int rank = static_cast<int>(input.size());
      std::vector<int64_t> perm;
      if (c.Has("perm")) perm = c.Ints("perm");
      if (perm.empty())
        for (int i = rank; i-- > 0;) perm.push_back(i);
      c.Require(perm.size() == input.size(), "perm has ", perm.size(),
                " numbers, expected one for each dimension of input of shape ", DimsText(input));
      std::vector<bool> seen(input.size());
      Dims out;
      for (const int64_t axis : perm) {
        const auto at = static_cast<size_t>(CanonicalAxis(c, axis, rank, "an element of perm"));
        c.Require(!seen[at], "perm names axis ", at, " twice");
        seen[at] = true;
        out.push_back(input[at]);
      }
      c.SetOutput("output", c.Precision("input"), out);
      PassValues(c, "input", "output", out.size());
    });

}  // namespace
}  // namespace nnadapter::runtime
