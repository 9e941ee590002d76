#include "lite/kernels/cpu/diagonals.h"

namespace paddle::lite {
namespace {

// A matrix with X on the diagonal, or the diagonal of the matrix X. A 0-D tensor is a list of one.
void InferDiagV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t offset = c.Attr<int32_t>("offset");
  c.Require(x.dims.size() <= 2, "X has shape ", x.dims, ", expected at most two dimensions");
  if (x.dims.size() == 2) return c.SetOutput("Out", DiagonalDims(x.dims, {0, 1, offset}), x.dtype);
  const int64_t size = x.dims.production() + (offset < 0 ? -offset : offset);
  c.SetOutput("Out", {size, size}, x.dtype);
}

void RunDiagV2(KernelContext& c) {
  Tensor x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DiagonalSpec spec{0, 1, c.Attr<int32_t>("offset")};
  if (x.dims().size() == 2) return CopyFromDiagonal(x, spec, out, c.threads());
  x.Resize({x.numel()});
  Fill(out, FillValue::Of(c.Attr<float>("padding_value")), c.threads());
  CopyToDiagonal(x, spec, out, c.threads());
}

REGISTER_LITE_OP(diag_v2)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<float>("padding_value", 0.0f)
    .InferShape(InferDiagV2);
REGISTER_LITE_FUNCTION(diag_v2, kHost, kAny, kNCHW, RunDiagV2, def);

}  // namespace
}  // namespace paddle::lite
