#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// Numbers of a list by their position.
void FoldList(InferContext& c) {
  const auto list = c.Values("input"), indices = c.Values("indices");
  if (!list || !indices || c.Rank("input") != 1 || c.Rank("indices") > 1) return;
  const auto size = static_cast<int64_t>(list->size());
  Dims picked;
  for (const int32_t index : *indices) {
    if (index == kUnknown) {
      picked.push_back(kUnknown);
      continue;
    }
    c.Require(index >= -size && index < size, "indices has ", index, ", expected numbers in [",
              -size, ", ", size, ")");
    picked.push_back((*list)[static_cast<size_t>(index < 0 ? index + size : index)]);
  }
  c.SetValues("output", picked);
}

REGISTER_OPERATION(GATHER)
    .Doc("The entries of an axis that indices names, in their order and shape.")
    .Input("input", kAny, "a tensor of rank 1 or more")
    .Input("indices", kIndex, "a tensor of positions in [-S, S), S the size of the axis")
    .Int("axis", "the axis in [-R, R), R the rank of input")
    .Output("output", "of the type of input; the shape of indices stands in place of the axis")
    .Infer([](InferContext& c) {
      const Dims input = c.DimsOf("input"), indices = c.DimsOf("indices");
      const int axis = CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
      Dims output(input.begin(), input.begin() + axis);
      output.insert(output.end(), indices.begin(), indices.end());
      output.insert(output.end(), input.begin() + axis + 1, input.end());
      c.SetOutput("output", c.Precision("input"), output);
      FoldList(c);
    });

}  // namespace
}  // namespace nnadapter::runtime
