#include "lite/kernels/cpu/lookup_table.h"

namespace paddle::lite {
namespace {

void InferLookupTableV2(InferContext& c) { InferLookupTable(c, false); }

REGISTER_LITE_OP(lookup_table_v2)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferLookupTableV2);
REGISTER_LITE_FUNCTION(lookup_table_v2, kHost, kAny, kNCHW, LookupTable, def);

}  // namespace
}  // namespace paddle::lite
