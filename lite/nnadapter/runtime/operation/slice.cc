#include <algorithm>

#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

struct Axis {
  int32_t size = 0, start = 0, end = 0;
  int64_t step = 1;
};

// The elements that start:end:step selects, as numpy reads it; unknown where a part is.
int32_t Selected(const InferContext& c, const Axis& axis) {
  c.Require(axis.step != 0 && axis.step >= -INT32_MAX && axis.step <= INT32_MAX, "a step is ",
            axis.step, ", expected an int32 other than 0");
  if (axis.size == kUnknown || axis.start == kUnknown || axis.end == kUnknown) return kUnknown;
  const int64_t size = axis.size;
  const int64_t low = axis.step < 0 ? -1 : 0, high = axis.step < 0 ? size - 1 : size;
  const auto place = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + size : at, low, std::max(low, high));
  };
  const int64_t span =
      axis.step < 0 ? place(axis.start) - place(axis.end) : place(axis.end) - place(axis.start);
  const int64_t step = axis.step < 0 ? -axis.step : axis.step;
  return span <= 0 ? 0 : static_cast<int32_t>((span - 1) / step + 1);
}

// The numbers that remain of a list.
void FoldSlice(InferContext& c, const Axis& axis) {
  const auto values = c.Values("input");
  const int32_t count = Selected(c, axis);
  if (!values || c.Rank("input") != 1 || count == kUnknown ||
      static_cast<size_t>(axis.size) != values->size())
    return;
  const int64_t last = axis.step < 0 ? axis.size - 1 : axis.size;
  int64_t at = axis.start < 0 ? int64_t{axis.start} + axis.size : axis.start;
  at = std::clamp<int64_t>(at, axis.step < 0 ? -1 : 0, last);
  Dims selected;
  for (int32_t i = 0; i < count; ++i, at += axis.step)
    selected.push_back((*values)[static_cast<size_t>(at)]);
  c.SetValues("output", selected);
}

void Infer(InferContext& c) {
  const Dims starts = ShapeListOf(c, "starts"), ends = ShapeListOf(c, "ends");
  std::vector<int64_t> axes, steps;
  if (c.Has("axes")) axes = c.Ints("axes");
  if (c.Has("steps")) steps = c.Ints("steps");
  if (axes.empty())
    for (size_t i = 0; i < starts.size(); ++i) axes.push_back(static_cast<int64_t>(i));
  if (steps.empty()) steps.assign(axes.size(), 1);
  c.Require(
      starts.size() == axes.size() && ends.size() == axes.size() && steps.size() == axes.size(),
      "axes, starts, ends and steps have ", axes.size(), ", ", starts.size(), ", ", ends.size(),
      " and ", steps.size(), " numbers, expected as many of each");
  Dims out = c.DimsOf("input");
  const int rank = static_cast<int>(out.size());
  Axis axis;
  std::vector<bool> seen(out.size());
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto at = static_cast<size_t>(CanonicalAxis(c, axes[i], rank, "an element of axes"));
    c.Require(!seen[at], "axis ", at, " is named twice");
    seen[at] = true;
    axis = {out[at], starts[i], ends[i], steps[i]};
    out[at] = Selected(c, axis);
  }
  c.SetOutput("output", c.Precision("input"), out);
  if (axes.size() == 1)
    FoldSlice(c, axis);
  else if (axes.empty())
    PassValues(c, "input", "output", out.size());
}

REGISTER_OPERATION(SLICE)
    .Doc("A part of a tensor, as numpy's input[start:end:step] along some axes.")
    .Input("input", kAny, "a tensor")
    .OptionalInts("axes", "the axes in [-R, R) that are sliced; the first ones if absent or empty")
    .Shape("starts", "the first index of each axis; a negative one counts from the end")
    .Shape("ends",
           "the index behind the last one of each axis; INT_MAX is the end of an unknown "
           "dimension, INT_MIN the beginning for a negative step")
    .OptionalInts("steps", "the step of each axis, not 0; 1 if absent")
    .Output("output", "of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
