#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// The dimensions that all inputs have.
Dims CommonDims(const InferContext& c) {
  Dims common = c.DimsOf("input");
  for (size_t i = 1; i < c.Count("input"); ++i) {
    const Dims dims = c.DimsOf("input", i);
    c.Require(c.Precision("input", i) == c.Precision("input"), "input", i, " is ",
              PrecisionName(c.Precision("input", i)), ", but input0 is ",
              PrecisionName(c.Precision("input")));
    bool same = dims.size() == common.size();
    for (size_t d = 0; same && d < dims.size(); ++d) {
      same = dims[d] == common[d] || dims[d] == kUnknown || common[d] == kUnknown;
      if (common[d] == kUnknown) common[d] = dims[d];
    }
    c.Require(same, "input", i, " has shape ", DimsText(dims), ", but input0 has ",
              DimsText(c.DimsOf("input")));
  }
  return common;
}

void Infer(InferContext& c) {
  Dims out = CommonDims(c);
  const bool scalars = out.empty();
  const int axis = CanonicalAxis(c, c.Int("axis"), static_cast<int>(out.size()) + 1);
  out.insert(out.begin() + axis, ToDim(c, static_cast<int64_t>(c.Count("input"))));
  c.SetOutput("output", c.Precision("input"), out);
  Dims values;
  for (size_t i = 0; scalars && i < c.Count("input"); ++i) {
    const auto value = c.Values("input", i);
    if (!value || value->size() != 1) return;
    values.push_back((*value)[0]);
  }
  if (scalars) c.SetValues("output", values);
}

REGISTER_OPERATION(STACK)
    .Doc("Joins tensors of one shape along a new axis.")
    .Inputs("input", kAny, "tensors of one type and shape")
    .Int("axis", "where the new axis is, in [-R - 1, R]")
    .Output("output", "of the type of the inputs")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
