// Reductions, positions of extremes, running sums, sums of tensors.
#include "lite/nnadapter/runtime/operation/operands.h"

namespace nnadapter::runtime {

namespace {

void FoldList(InferContext& c, FoldFn fold) {
  const auto values = c.Values("input");
  if (!values || values->empty() || c.Rank("input") != 1) return;
  int64_t folded = (*values)[0];
  for (size_t i = 0; i < values->size(); ++i) {
    const int32_t value = (*values)[i];
    if (value == NNADAPTER_UNKNOWN) return c.SetValues("output", {NNADAPTER_UNKNOWN});
    if (i > 0) folded = fold(folded, value);
  }
  c.SetValues("output", {ShapeNumber(folded)});
}

// `fold` is for a list of a shape's numbers; null where there is no number for its result.
void InferReduction(InferContext& c, FoldFn fold) {
  const Dims input = c.DimsOf("input");
  const auto axes = c.Has("axes") ? c.Ints("axes") : std::vector<int64_t>{};
  std::vector<bool> reduced(input.size(), axes.empty());
  for (const int64_t axis : axes) {
    const int at = CanonicalAxis(c, axis, c.Rank("input"), "an element of axes");
    reduced[static_cast<size_t>(at)] = true;
  }
  for (size_t i = 0; i < input.size(); ++i)
    c.Require(!reduced[i] || input[i] != 0, "input of shape ", DimsText(input),
              " has nothing to reduce in dimension ", i);
  const bool keep = c.Bool("keepdim", true);
  Dims out;
  for (size_t i = 0; i < input.size(); ++i)
    if (!reduced[i] || keep) out.push_back(reduced[i] ? 1 : input[i]);
  c.SetOutput("output", c.Precision("input"), out);
  if (fold != nullptr) FoldList(c, fold);
}

void InferArgReduce(InferContext& c) {
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

INFER(REDUCE_MAX) {
  InferReduction(c, [](int64_t a, int64_t b) { return std::max(a, b); });
}

INFER(REDUCE_MEAN) { InferReduction(c, nullptr); }

INFER(REDUCE_SUM) {
  InferReduction(c, [](int64_t a, int64_t b) { return a + b; });
}

INFER(ARG_MAX) { InferArgReduce(c); }

INFER(ARG_MIN) { InferArgReduce(c); }

INFER(CUM_SUM) {
  CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(TOP_K) {
  Dims dims = c.DimsOf("input");
  const int axis = CanonicalAxis(c, c.Int("axis"), static_cast<int>(dims.size()));
  int32_t& dim = dims[static_cast<size_t>(axis)];
  const Dims k = ShapeListOf(c, "k");
  c.Require(k.size() == 1, "k has ", k.size(), " numbers, expected one");
  c.Require(k[0] == kUnknown || (k[0] >= 1 && (dim == kUnknown || k[0] <= dim)), "k is ", k[0],
            ", but axis ", axis, " of input of shape ", DimsText(dims), " is looked at");
  dim = k[0];
  const int64_t dtype = c.Int("return_indices_dtype");
  c.Require(dtype == NNADAPTER_INT32 || dtype == NNADAPTER_INT64, "return_indices_dtype is ", dtype,
            ", expected 5 (INT32) or 7 (INT64)");
  c.SetOutput("output", c.Precision("input"), dims);
  c.SetOutput("indices", static_cast<int32_t>(dtype), dims);
}

INFER(SUM) {
  Dims dims = c.DimsOf("input");
  for (size_t i = 1; i < c.Count("input"); ++i) {
    c.Require(c.Precision("input", i) == c.Precision("input"), "input", i, " is ",
              PrecisionName(c.Precision("input", i)), ", but input0 is ",
              PrecisionName(c.Precision("input")));
    dims = BroadcastDims(c, dims, c.DimsOf("input", i));
  }
  c.SetOutput("output", c.Precision("input"), dims);
}

}  // namespace nnadapter::runtime
