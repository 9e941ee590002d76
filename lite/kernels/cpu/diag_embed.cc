#include "lite/kernels/cpu/diagonals.h"

namespace paddle::lite {
namespace {

template <typename Context>
DiagonalSpec DiagEmbedSpec(const Context& c) {
  return DiagonalOf(c.template Attr<int32_t>("offset"), c.template Attr<int32_t>("dim1"),
                    c.template Attr<int32_t>("dim2"), DimsOf(c, "Input").size() + 1);
}

// Square matrices along dim1 and dim2 with Input's last dimension on their diagonals.
void InferDiagEmbed(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.Require(!x.dims.empty(), "Input is 0-D, expected a dimension or more");
  const DiagonalSpec spec = DiagEmbedSpec(c);
  const int64_t size = x.dims.back() + (spec.offset < 0 ? -spec.offset : spec.offset);
  DDim out;
  int from = 0;
  for (int i = 0; i <= x.dims.size(); ++i)
    out.push_back(i == spec.rows_axis || i == spec.cols_axis ? size : x.dims[from++]);
  c.SetOutput("Out", out, x.dtype);
}

void RunDiagEmbed(KernelContext& c) {
  Fill(c.Output("Out"), FillValue::Of(0), c.threads());
  CopyToDiagonal(c.Input("Input"), DiagEmbedSpec(c), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(diag_embed)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("dim1", -2)
    .Attr<int32_t>("dim2", -1)
    .InferShape(InferDiagEmbed);
REGISTER_LITE_FUNCTION(diag_embed, kHost, kAny, kNCHW, RunDiagEmbed, def);

}  // namespace
}  // namespace paddle::lite
