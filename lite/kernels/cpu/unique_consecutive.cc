#include "lite/kernels/cpu/unique.h"

namespace paddle::lite {
namespace {

void RunUniqueConsecutive(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DataType dtype = IndexTypeOf(c);
  const RowView view(x, c.Attr<std::vector<int32_t>>("axis"));
  const RowGroups groups = GroupRows(c, x, view, GroupOrder::kConsecutive);
  WriteGroups(x, view, groups, c.Output("Out"), c.threads());
  WriteIndexes(c, "Index", groups.of, dtype);
  WriteIndexes(c, "Counts", groups.counts, dtype);
}

REGISTER_LITE_OP(unique_consecutive)
    .Input("X")
    .Output("Out")
    .OptionalOutput("Index")
    .OptionalOutput("Counts")
    .Attr<std::vector<int32_t>>("axis", {})
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kInt64))
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(unique_consecutive, kHost, kAny, kNCHW, RunUniqueConsecutive, def);

}  // namespace
}  // namespace paddle::lite
