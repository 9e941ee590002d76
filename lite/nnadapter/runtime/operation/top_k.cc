#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(TOP_K)
    .Doc("The k largest or smallest numbers along an axis, in order, and their places.")
    .Input("input", kNumbers | kQuantized, "a tensor")
    .Shape("k", "one number: how many, from 1 to the dimension")
    .Int("axis", "the axis in [-R, R)")
    .Bool("largest", "whether the largest ones are looked for, not the smallest")
    .Bool("sorted", "false allows any order; ours is always in order")
    .Int("return_indices_dtype", "the type of indices: NNADAPTER_INT32 or NNADAPTER_INT64")
    .Output("output", "the numbers, of the type of input")
    .OptionalOutput("indices", "their places along the axis, of the shape of output")
    .Infer([](InferContext& c) {
      Dims dims = c.DimsOf("input");
      const int axis = CanonicalAxis(c, c.Int("axis"), static_cast<int>(dims.size()));
      int32_t& dim = dims[static_cast<size_t>(axis)];
      const Dims k = ShapeListOf(c, "k");
      c.Require(k.size() == 1, "k has ", k.size(), " numbers, expected one");
      c.Require(k[0] == kUnknown || (k[0] >= 1 && (dim == kUnknown || k[0] <= dim)), "k is ", k[0],
                ", but axis ", axis, " of input of shape ", DimsText(dims), " is looked at");
      dim = k[0];
      const int64_t dtype = c.Int("return_indices_dtype");
      c.Require(dtype == NNADAPTER_INT32 || dtype == NNADAPTER_INT64, "return_indices_dtype is ",
                dtype, ", expected 5 (INT32) or 7 (INT64)");
      c.SetOutput("output", c.Precision("input"), dims);
      c.SetOutput("indices", static_cast<int32_t>(dtype), dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
