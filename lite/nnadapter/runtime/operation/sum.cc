#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SUM)
    .Doc("output = input0 + input1 + ..., element by element.")
    .Inputs("input", kNumbers | kQuantized, "tensors of one type")
    .Output("output", "of the type of the inputs and the shape that numpy broadcasting gives")
    .Infer([](InferContext& c) {
      Dims dims = c.DimsOf("input");
      for (size_t i = 1; i < c.Count("input"); ++i) {
        c.Require(c.Precision("input", i) == c.Precision("input"), "input", i, " is ",
                  PrecisionName(c.Precision("input", i)), ", but input0 is ",
                  PrecisionName(c.Precision("input")));
        dims = BroadcastDims(c, dims, c.DimsOf("input", i));
      }
      c.SetOutput("output", c.Precision("input"), dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
