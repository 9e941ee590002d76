#include "lite/kernels/cpu/unique.h"

namespace paddle::lite {
namespace {

void RunUnique(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DataType dtype = IndexTypeOf(c);
  const bool sorted = c.Attr<bool>("is_sorted");
  // What is not sorted is the older operator, which knows no axis.
  const RowView view(x, sorted ? c.Attr<std::vector<int32_t>>("axis") : std::vector<int32_t>{});
  const RowGroups groups =
      GroupRows(c, x, view, sorted ? GroupOrder::kSorted : GroupOrder::kAppearance);
  WriteGroups(x, view, groups, c.Output("Out"), c.threads());
  WriteIndexes(c, "Indices", groups.first, dtype);
  WriteIndexes(c, "Index", groups.of, dtype);
  if (!sorted && x.dims().empty())
    if (Tensor* index = c.OutputOrNull("Index")) index->Resize({});
  WriteIndexes(c, "Counts", groups.counts, dtype);
}

// Outputs that return_index, ... do not ask for are written too: nobody reads them.
REGISTER_LITE_OP(unique)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Indices")
    .OptionalOutput("Index")
    .OptionalOutput("Counts")
    .Attr<std::vector<int32_t>>("axis", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .Attr<bool>("is_sorted", false)
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(unique, kHost, kAny, kNCHW, RunUnique, def);

}  // namespace
}  // namespace paddle::lite
