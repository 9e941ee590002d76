#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(UNSQUEEZE)
    .Doc("Inserts dimensions of 1, one after the other.")
    .Input("input", kAny, "a tensor")
    .Ints("axes",
          "where they are inserted, in [-R - 1, R], R the rank that has been reached; each axis "
          "counts in the shape made so far")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      Dims out = c.DimsOf("input");
      for (const int64_t axis : c.Ints("axes")) {
        const int rank = static_cast<int>(out.size()) + 1;
        c.Require(rank <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS, "more than 8 dimensions");
        out.insert(out.begin() + CanonicalAxis(c, axis, rank, "an element of axes"), 1);
      }
      c.SetOutput("output", c.Precision("input"), out);
      PassValues(c, "input", "output", out.size());
    });

}  // namespace
}  // namespace nnadapter::runtime
