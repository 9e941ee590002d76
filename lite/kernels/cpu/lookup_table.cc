#include "lite/kernels/cpu/lookup_table.h"

namespace paddle::lite {
namespace {

void InferLookupTableOp(InferContext& c) { InferLookupTable(c, true); }

REGISTER_LITE_OP(lookup_table)
    .Input("W")
    .Input("Ids")
    .Output("Out")
    .Attr<int64_t>("padding_idx", -1)
    .InferShape(InferLookupTableOp);
REGISTER_LITE_FUNCTION(lookup_table, kHost, kAny, kNCHW, LookupTable, def);

}  // namespace

void InferLookupTable(InferContext& c, bool drops_last) {
  const TensorMeta& w = c.Input("W");
  const TensorMeta& ids = c.Input("Ids");
  c.Require(w.dims.size() == 2, "W has shape ", w.dims, ", expected two dimensions");
  RequireIndexType(ids.dtype, "Ids");
  DDim out = ids.dims;
  if (drops_last) {
    c.Require(!out.empty() && out.back() == 1, "Ids has shape ", out,
              ", expected a last dimension of 1");
    out.pop_back();
  }
  out.push_back(w.dims[1]);
  c.SetOutput("Out", out, w.dtype, ids.lod);
}

void LookupTable(KernelContext& c) {
  const Tensor& w = c.Input("W");
  const GatherShape shape{1, w.dims()[0], w.dims()[1], c.Attr<int64_t>("padding_idx")};
  GatherRows(w, c.Input("Ids"), "Ids", shape, c.Output("Out"), c.threads());
}

}  // namespace paddle::lite
