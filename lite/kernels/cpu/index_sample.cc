#include "lite/kernels/cpu/along_axis.h"

namespace paddle::lite {
namespace {

// Of row i of X, [batch, size], the elements that row i of Index names.
void InferIndexSample(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  c.Require(x.dims.size() == 2 && index.dims.size() == 2 && x.dims[0] == index.dims[0],
            "X has shape ", x.dims, " and Index ", index.dims,
            "; expected two dimensions and as many rows");
  c.SetOutput("Out", index.dims, x.dtype, x.lod);
}

void RunIndexSample(KernelContext& c) {
  const Tensor& x = c.Input("X");
  TakeElements(x, AlongAxis(x.dims(), c.Input("Index"), 1), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(index_sample).Input("X").Input("Index").Output("Out").InferShape(InferIndexSample);
REGISTER_LITE_FUNCTION(index_sample, kHost, kAny, kNCHW, RunIndexSample, def);

}  // namespace
}  // namespace paddle::lite
