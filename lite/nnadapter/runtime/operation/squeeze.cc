#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
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

REGISTER_OPERATION(SQUEEZE)
    .Doc("Removes dimensions of 1.")
    .Input("input", kAny, "a tensor")
    .OptionalInts("axes",
                  "the axes in [-R, R) that are removed where they are 1; every 1 if absent or "
                  "empty")
    .Output("output", "of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
