// Reductions, positions of extremes, running sums, sums of tensors.
#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/shape_list.h"

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

std::function<void(OperationInfo&)> Reduction(FoldFn fold) {
  return [fold](OperationInfo& info) {
    info.Input("input", kFloats | kIndex | kQuantized, "a tensor")
        .OptionalInts("axes", "the axes in [-R, R); all if absent or empty")
        .OptionalBool("keepdim", "whether the axes stay with a dimension of 1; yes if absent")
        .Output("output", "of the type of input")
        .Infer([fold](InferContext& c) {
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
        });
  };
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

void DeclareArgReduce(OperationInfo& info) {
  info.Input("input", kNumbers | kQuantized, "a tensor of rank 1 or more")
      .Int("axis", "the axis in [-R, R), R the rank of input")
      .Bool("keepdim", "whether the axis stays, with one element")
      .OptionalInt("dtype", "the type of output, 5 (INT32) or 7 (INT64, if absent)")
      .Output("output", "positions along the axis; the first of equal elements")
      .Infer(InferArgReduce);
}

REGISTER_OPERATION(REDUCE_MAX)
    .Doc("The largest number along axes.")
    .Like(Reduction([](int64_t a, int64_t b) { return std::max(a, b); }));

REGISTER_OPERATION(REDUCE_MEAN).Doc("The mean along axes.").Like(Reduction(nullptr));

REGISTER_OPERATION(REDUCE_SUM).Doc("The sum along axes.").Like(Reduction([](int64_t a, int64_t b) {
  return a + b;
}));

REGISTER_OPERATION(ARG_MAX)
    .Doc("Where the largest element along an axis stands.")
    .Like(DeclareArgReduce);

REGISTER_OPERATION(ARG_MIN)
    .Doc("Where the smallest element along an axis stands.")
    .Like(DeclareArgReduce);

REGISTER_OPERATION(CUM_SUM)
    .Doc("The sums of the elements up to each one along an axis.")
    .Input("input", kFloats | kIndex | kQuantized, "a tensor of rank 1 or more")
    .Int("axis", "the axis in [-R, R), R the rank of input")
    .Bool("exclusive", "whether an element is left out of its own sum")
    .Bool("reverse", "whether the sums start at the end of the axis")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

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

REGISTER_OPERATION(SUM)
    .Doc("output = input0 + input1 + ..., element by element.")
    .Inputs("input", kNumbers | kQuantized, "tensors of one type")
    .Output("output", "of the type of the inputs and the shape that numpy broadcasting gives")
    .Infer([](InferContext& c) {
      Dims dims = c.DimsOf("input");
      for (size_t i = 1; i < c.Count("input"); ++i) {
        c.Require(c.Precision("input", i) == c.Precision("input"), "input", i, " is ",
                  PrecisionName(c.Precision("input", i)), ", but input0 is ",
                  PrecisionName(c.Precision("input")));
        dims = BroadcastDims(c, dims, c.DimsOf("input", i));
      }
      c.SetOutput("output", c.Precision("input"), dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
