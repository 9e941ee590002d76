#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SHAPE)
    .Doc("The shape of a tensor as a list.")
    .Input("input", kAny, "a tensor")
    .Int("dtype", "the type of the result: NNADAPTER_INT32 or NNADAPTER_INT64")
    .Output("output", "a list of as many numbers as input has dimensions")
    .Infer([](InferContext& c) {
      const int64_t dtype = c.Int("dtype");
      c.Require(dtype == NNADAPTER_INT32 || dtype == NNADAPTER_INT64, "dtype is ", dtype,
                ", expected 5 (INT32) or 7 (INT64)");
      const Dims dims = c.DimsOf("input");
      c.SetOutput("output", static_cast<int32_t>(dtype), {static_cast<int32_t>(dims.size())});
      c.SetValues("output", dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
