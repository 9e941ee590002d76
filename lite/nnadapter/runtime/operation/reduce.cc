#include "lite/nnadapter/runtime/operation/reduce.h"

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

}  // namespace

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

}  // namespace nnadapter::runtime
