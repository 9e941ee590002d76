#include "lite/nnadapter/runtime/operation/arg_reduce.h"

#include "lite/nnadapter/runtime/operation/pool.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
  const Dims input = c.DimsOf("input");
  const auto axis = static_cast<size_t>(CanonicalAxis(c, c.Int("axis"), c.Rank("input")));
  c.Require(input[axis] != 0, "input has shape ", DimsText(input), ", nothing along axis ", axis);
  Dims output = input;
  if (c.Bool("keepdim"))
    output[axis] = 1;
  else
    output.erase(output.begin() + static_cast<int64_t>(axis));
  c.SetOutput("output", IndexPrecision(c, "dtype"), output);
}

}  // namespace

void DeclareArgReduce(OperationInfo& info) {
  info.Input("input", kNumbers | kQuantized, "a tensor of rank 1 or more")
      .Int("axis", "the axis in [-R, R), R the rank of input")
      .Bool("keepdim", "whether the axis stays, with one element")
      .OptionalInt("dtype", "the type of output, 5 (INT32) or 7 (INT64, if absent)")
      .Output("output", "positions along the axis; the first of equal elements")
      .Infer(Infer);
}

}  // namespace nnadapter::runtime
