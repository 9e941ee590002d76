// Elements in other places.
#include <algorithm>

#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {

INFER(TRANSPOSE) {
  const Dims input = c.DimsOf("input");
  const int rank = static_cast<int>(input.size());
  std::vector<int64_t> perm;
  if (c.Has("perm")) perm = c.Ints("perm");
  if (perm.empty())
    for (int i = rank; i-- > 0;) perm.push_back(i);
  c.Require(perm.size() == input.size(), "perm has ", perm.size(),
            " numbers, expected one for each dimension of input of shape ", DimsText(input));
  std::vector<bool> seen(input.size());
  Dims out;
  for (const int64_t axis : perm) {
    const auto at = static_cast<size_t>(CanonicalAxis(c, axis, rank, "an element of perm"));
    c.Require(!seen[at], "perm names axis ", at, " twice");
    seen[at] = true;
    out.push_back(input[at]);
  }
  c.SetOutput("output", c.Precision("input"), out);
  PassValues(c, "input", "output", out.size());
}

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

}  // namespace

INFER(CONCAT) {
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

INFER(SPLIT) {
  const Dims input = c.DimsOf("input");
  const int at = CanonicalAxis(c, c.Int("axis"), static_cast<int>(input.size()));
  const auto axis = static_cast<size_t>(at);
  std::vector<int64_t> lengths = c.Ints("split");
  c.Require(lengths.size() == c.OutputCount("output"), "split has ", lengths.size(),
            " numbers for ", c.OutputCount("output"), " outputs");
  int64_t sum = 0, *open = nullptr;
  for (int64_t& length : lengths) {
    c.Require(length <= INT32_MAX && (length >= 0 || (length == -1 && open == nullptr)),
              "split holds ", length, ", expected lengths and at most one -1");
    if (length < 0)
      open = &length;
    else
      sum += length;
  }
  const int32_t size = input[axis];
  if (size != kUnknown)
    c.Require(open != nullptr ? sum <= size : sum == size, "the lengths in split sum to ", sum,
              ", but dimension ", axis, " of input is ", size);
  if (open != nullptr) *open = size == kUnknown ? kUnknown : size - sum;
  const auto values = c.Values("input");
  size_t offset = 0;
  for (size_t i = 0; i < lengths.size(); ++i) {
    Dims out = input;
    out[axis] = static_cast<int32_t>(lengths[i]);
    c.SetOutput("output", c.Precision("input"), out, i);
    if (!values || input.size() != 1 || values->size() != static_cast<size_t>(size) ||
        lengths[i] == kUnknown)
      continue;
    const auto from = values->begin() + static_cast<std::ptrdiff_t>(offset);
    c.SetValues("output", Dims(from, from + static_cast<std::ptrdiff_t>(lengths[i])), i);
    offset += static_cast<size_t>(lengths[i]);
  }
}

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

}  // namespace

INFER(STACK) {
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

INFER(UNSTACK) {
  Dims out = c.DimsOf("input");
  const int axis = CanonicalAxis(c, c.Int("axis"), static_cast<int>(out.size()));
  const int32_t size = out[static_cast<size_t>(axis)];
  const int64_t parts = static_cast<int64_t>(c.OutputCount("output")), num = c.Int("num");
  c.Require(num == parts && (size == kUnknown || size == num), "num is ", num, ", there are ",
            parts, " outputs, and axis ", axis, " of input of shape ", DimsText(out),
            " is unstacked; expected one number");
  out.erase(out.begin() + axis);
  const auto values = c.Values("input");
  for (size_t i = 0; i < c.OutputCount("output"); ++i) {
    c.SetOutput("output", c.Precision("input"), out, i);
    if (values && out.empty() && i < values->size()) c.SetValues("output", {(*values)[i]}, i);
  }
}

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

}  // namespace

INFER(SLICE) {
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

}  // namespace

INFER(GATHER) {
  const Dims input = c.DimsOf("input"), indices = c.DimsOf("indices");
  const int axis = CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
  Dims output(input.begin(), input.begin() + axis);
  output.insert(output.end(), indices.begin(), indices.end());
  output.insert(output.end(), input.begin() + axis + 1, input.end());
  c.SetOutput("output", c.Precision("input"), output);
  FoldList(c);
}

INFER(PAD) {
  Dims dims = c.DimsOf("input");
  const Dims pads = ShapeListOf(c, "pads");
  const int64_t mode = c.Int("mode");
  c.Require(mode >= NNADAPTER_PAD_MODE_NONE && mode <= NNADAPTER_PAD_MODE_EDGE, "mode is ", mode,
            ", expected 0 or 1 (constant), 2 (reflect), 3 (replicate) or 4 (edge)");
  const bool constant = mode <= NNADAPTER_PAD_MODE_CONSTANT;
  c.Require(pads.size() == 2 * dims.size(), "pads has ", pads.size(),
            " numbers, expected two for each dimension of input of shape ", DimsText(dims));
  if (c.Has("value")) {
    const int32_t value = c.Precision("value"), input = c.Precision("input");
    c.Require(value == input || (IsQuantized(input) && value == NNADAPTER_FLOAT32), "value is ",
              PrecisionName(value), ", but input is ", PrecisionName(input));
    const Dims shape = c.DimsOf("value");
    c.Require(Product(shape, 0, shape.size()) == 1, "value has shape ", DimsText(shape),
              ", expected one number");
  }
  for (size_t i = 0; i < dims.size(); ++i) {
    const int32_t before = pads[2 * i], after = pads[2 * i + 1];
    for (const int32_t pad : {before, after}) {
      if (pad == kUnknown) continue;
      c.Require(pad >= 0, "pads is ", DimsText(pads), ", expected numbers from 0");
      if (constant || pad == 0 || dims[i] == kUnknown) continue;
      c.Require(dims[i] > (mode == NNADAPTER_PAD_MODE_REFLECT ? pad : 0), "dimension ", i,
                " of input of shape ", DimsText(c.DimsOf("input")), " cannot be padded by ", pad,
                " in this mode");
    }
    const bool known = dims[i] != kUnknown && before != kUnknown && after != kUnknown;
    dims[i] = known ? ToDim(c, int64_t{dims[i]} + before + after) : kUnknown;
  }
  c.SetOutput("output", c.Precision("input"), dims);
}

INFER(ROLL) {
  const auto shifts = c.Ints("shifts");
  const auto axes = c.Has("axes") ? c.Ints("axes") : std::vector<int64_t>{};
  const size_t expected = axes.empty() ? 1 : axes.size();
  c.Require(shifts.size() == expected, "shifts has ", shifts.size(), " numbers, expected ",
            expected);
  for (const int64_t axis : axes) CanonicalAxis(c, axis, c.Rank("input"), "an element of axes");
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(CHANNEL_SHUFFLE) {
  RequireImages(c, "input");
  const int64_t group = GroupOf(c);
  const Dims dims = c.DimsOf("input");
  c.Require(dims[1] == NNADAPTER_UNKNOWN || dims[1] % group == 0, "group is ", group,
            ", expected a divisor of the ", dims[1], " channels");
  c.SetOutput("output", c.Precision("input"), dims);
}

}  // namespace nnadapter::runtime
