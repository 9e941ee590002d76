#include "lite/kernels/cpu/unique.h"

namespace paddle::lite {
namespace {

void RunUniqueWithCounts(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DataType dtype = IndexTypeOf(c);
  const RowView view(x, {});
  const RowGroups groups = GroupRows(c, x, view, GroupOrder::kAppearance);
  WriteGroups(x, view, groups, c.Output("Out"), c.threads());
  WriteIndexes(c, "Index", groups.of, dtype);
  WriteIndexes(c, "Count", groups.counts, dtype);
}

REGISTER_LITE_OP(unique_with_counts)
    .Input("X")
    .Output("Out")
    .Output("Index")
    .Output("Count")
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(unique_with_counts, kHost, kAny, kNCHW, RunUniqueWithCounts, def);

}  // namespace
}  // namespace paddle::lite
