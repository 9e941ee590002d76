#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(WHERE)
    .Doc("output = condition ? input0 : input1, element by element.")
    .Input("condition", kBool, "which of the two")
    .Input("input0", kAny, "a tensor")
    .Input("input1", kAny, "a tensor of the type of input0")
    .Output("output", "of the type of input0 and the shape that numpy broadcasting gives")
    .Infer([](InferContext& c) {
      const int32_t a = c.Precision("input0"), b = c.Precision("input1");
      c.Require(a == b, "input0 is ", PrecisionName(a), " and input1 is ", PrecisionName(b),
                ", expected one type");
      const Dims chosen = BroadcastDims(c, c.DimsOf("input0"), c.DimsOf("input1"));
      c.SetOutput("output", a, BroadcastDims(c, c.DimsOf("condition"), chosen));
    });

}  // namespace
}  // namespace nnadapter::runtime
