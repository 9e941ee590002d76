// Other shapes for the same elements, and shapes as numbers.
#include <algorithm>

#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

namespace {

// The dimension for -1: what input has over the other dimensions. Unknown dimensions that are
// copied by a 0 stand on both sides and cancel out.
int32_t InferRest(const InferContext& c, const Dims& input, const Dims& shape, const Dims& out) {
  Dims above, below;
  for (size_t i = 0; i < input.size(); ++i)
    if (i >= shape.size() || shape[i] != 0) above.push_back(input[i]);
  for (size_t i = 0; i < out.size(); ++i)
    if (shape[i] != 0 && shape[i] != -1) below.push_back(out[i]);
  const int64_t total = Product(above, 0, above.size()), rest = Product(below, 0, below.size());
  if (total == kUnknown || rest == kUnknown) return kUnknown;
  c.Require(total % rest == 0, "input of shape ", DimsText(input), " does not fit shape ",
            DimsText(shape));
  return ToDim(c, total / rest);
}

Dims InferReshape(const InferContext& c, const Dims& input, const Dims& shape) {
  Dims out = shape;
  int open = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == kUnknown) continue;
    c.Require(shape[i] >= -1 && (shape[i] != -1 || open < 0), "shape is ", DimsText(shape),
              ", expected numbers from 0 and at most one -1");
    if (shape[i] == -1) open = static_cast<int>(i);
    if (shape[i] != 0) continue;
    c.Require(i < input.size(), "shape ", DimsText(shape), " copies dimension ", i,
              " of input, which has shape ", DimsText(input));
    out[i] = input[i];
  }
  for (size_t i = 0; open >= 0 && i < out.size(); ++i)
    c.Require(out[i] != 0, "the -1 in shape ", DimsText(shape),
              " can be anything for input of shape ", DimsText(input));
  if (open >= 0) out[static_cast<size_t>(open)] = InferRest(c, input, shape, out);
  const int64_t from = Product(input, 0, input.size()), to = Product(out, 0, out.size());
  c.Require(from == kUnknown || to == kUnknown || from == to, "input of shape ", DimsText(input),
            " does not fit shape ", DimsText(shape));
  return out;
}

}  // namespace

INFER(RESHAPE) {
  const Dims shape = ShapeListOf(c, "shape");
  c.Require(!shape.empty(), "shape is empty, expected at least one number");
  const Dims out = InferReshape(c, c.DimsOf("input"), shape);
  c.SetOutput("output", c.Precision("input"), out);
  PassValues(c, "input", "output", out.size());
}

INFER(FLATTEN) {
  const Dims input = c.DimsOf("input");
  const int rank = c.Rank("input");
  const int start = CanonicalAxis(c, c.Int("start_axis"), rank, "start_axis");
  const int end = CanonicalAxis(c, c.Int("end_axis"), rank, "end_axis");
  c.Require(start <= end, "start_axis ", start, " is after end_axis ", end);
  Dims output(input.begin(), input.begin() + start);
  const int64_t joined = Product(input, static_cast<size_t>(start), static_cast<size_t>(end) + 1);
  output.push_back(joined == kUnknown ? kUnknown : ToDim(c, joined));
  output.insert(output.end(), input.begin() + end + 1, input.end());
  c.SetOutput("output", c.Precision("input"), output);
  PassValues(c, "input", "output", output.size());
}

INFER(SQUEEZE) {
  const Dims input = c.DimsOf("input");
  const int rank = static_cast<int>(input.size());
  std::vector<bool> named(input.size());
  bool any = false;
  for (const int64_t axis : c.Has("axes") ? c.Ints("axes") : std::vector<int64_t>{}) {
    named[static_cast<size_t>(CanonicalAxis(c, axis, rank, "an element of axes"))] = true;
    any = true;
  }
  Dims out;
  for (size_t i = 0; i < input.size(); ++i) {
    const bool one = input[i] == 1 || (named[i] && input[i] == kUnknown);
    if (!one || (any && !named[i])) out.push_back(input[i]);
  }
  c.SetOutput("output", c.Precision("input"), out);
  PassValues(c, "input", "output", out.size());
}

INFER(UNSQUEEZE) {
  Dims out = c.DimsOf("input");
  for (const int64_t axis : c.Ints("axes")) {
    const int rank = static_cast<int>(out.size()) + 1;
    c.Require(rank <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS, "more than 8 dimensions");
    out.insert(out.begin() + CanonicalAxis(c, axis, rank, "an element of axes"), 1);
  }
  c.SetOutput("output", c.Precision("input"), out);
  PassValues(c, "input", "output", out.size());
}

namespace {

// One dimension of input, broadcast; -1 keeps it.
int32_t Expanded(const InferContext& c, int32_t dim, int32_t wanted, const Dims& input,
                 const Dims& shape) {
  if (wanted == kUnknown) return dim == 1 ? kUnknown : dim;
  c.Require(wanted >= -1, "shape is ", DimsText(shape), ", expected numbers from -1");
  if (wanted == -1 || wanted == 1) return dim;
  c.Require(dim == 1 || dim == kUnknown || dim == wanted, "input of shape ", DimsText(input),
            " does not expand to ", DimsText(shape));
  return wanted;
}

}  // namespace

INFER(EXPAND) {
  const Dims input = c.DimsOf("input"), shape = ShapeListOf(c, "shape");
  c.Require(shape.size() >= input.size(), "shape ", DimsText(shape),
            " has fewer numbers than input has axes: ", DimsText(input));
  const size_t added = shape.size() - input.size();
  Dims output = shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    c.Require(i >= added || shape[i] >= 0 || shape[i] == kUnknown, "shape is ", DimsText(shape),
              ", but input of shape ", DimsText(input), " has no dimension for its ", shape[i]);
    if (i >= added) output[i] = Expanded(c, input[i - added], shape[i], input, shape);
  }
  c.SetOutput("output", c.Precision("input"), output);
}

INFER(TILE) {
  const Dims input = c.DimsOf("input"), repeats = ShapeListOf(c, "repeats");
  Dims out(std::max(input.size(), repeats.size()));
  for (size_t i = 0; i < out.size(); ++i) {
    const size_t of_input = i + input.size(), of_repeats = i + repeats.size();
    const int32_t dim = of_input < out.size() ? 1 : input[of_input - out.size()];
    const int32_t times = of_repeats < out.size() ? 1 : repeats[of_repeats - out.size()];
    c.Require(times == kUnknown || times > 0, "repeats is ", DimsText(repeats),
              ", expected numbers from 1");
    const bool known = dim != kUnknown && times != kUnknown;
    out[i] = known ? ToDim(c, int64_t{dim} * times) : kUnknown;
  }
  c.SetOutput("output", c.Precision("input"), out);
}

INFER(SHAPE) {
  const int64_t dtype = c.Int("dtype");
  c.Require(dtype == NNADAPTER_INT32 || dtype == NNADAPTER_INT64, "dtype is ", dtype,
            ", expected 5 (INT32) or 7 (INT64)");
  const Dims dims = c.DimsOf("input");
  c.SetOutput("output", static_cast<int32_t>(dtype), {static_cast<int32_t>(dims.size())});
  c.SetValues("output", dims);
}

}  // namespace nnadapter::runtime
