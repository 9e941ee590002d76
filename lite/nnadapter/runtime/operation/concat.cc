#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// Lists of numbers in a row, where each is known.
void FoldLists(InferContext& c) {
  Dims joined;
  for (size_t i = 0; i < c.Count("input"); ++i) {
    const auto values = c.Values("input", i);
    if (!values || joined.size() + values->size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return;
    joined.insert(joined.end(), values->begin(), values->end());
  }
  c.SetValues("output", joined);
}

// One input's dimension joins those of the inputs before it.
int32_t Joined(const InferContext& c, int32_t sum, int32_t dim) {
  if (sum == kUnknown || dim == kUnknown) return kUnknown;
  return ToDim(c, int64_t{sum} + dim);
}

void Infer(InferContext& c) {
  const int rank = c.Rank("input");
  const auto axis = static_cast<size_t>(CanonicalAxis(c, c.Int("axis"), rank));
  const Dims first = c.DimsOf("input");
  Dims output = first;
  for (size_t i = 1; i < c.Count("input"); ++i) {
    const Dims dims = c.DimsOf("input", i);
    c.Require(c.Precision("input", i) == c.Precision("input"), "input ", i, " is ",
              PrecisionName(c.Precision("input", i)), " and input 0 is ",
              PrecisionName(c.Precision("input")), ", expected one type");
    c.Require(dims.size() == first.size(), "input ", i, " has shape ", DimsText(dims),
              " and input 0 ", DimsText(first), ", expected one rank");
    for (size_t d = 0; d < dims.size(); ++d) {
      if (d == axis) continue;
      c.Require(dims[d] == output[d] || dims[d] == kUnknown || output[d] == kUnknown, "input ", i,
                " has shape ", DimsText(dims), " and input 0 ", DimsText(first),
                ", expected the same but for axis ", axis);
      if (output[d] == kUnknown) output[d] = dims[d];
    }
    output[axis] = Joined(c, output[axis], dims[axis]);
  }
  c.SetOutput("output", c.Precision("input"), output);
  if (rank == 1) FoldLists(c);
}

REGISTER_OPERATION(CONCAT)
    .Doc("Joins tensors along an axis.")
    .Inputs("input", kAny, "tensors of one type whose shapes differ along the axis only")
    .Int("axis", "the axis in [-R, R), R the rank of the inputs")
    .Output("output", "of the type of the inputs")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
