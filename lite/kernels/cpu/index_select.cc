#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

void InferIndexSelect(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  const int rank = index.dims.size();
  c.Require(rank == 1 || (rank == 2 && index.dims[1] == 1), "Index has shape ", index.dims,
            ", expected [n] or [n, 1]");
  DDim out = x.dims;
  out[CanonicalAxis(c.Attr<int32_t>("dim"), x.dims.size(), "dim")] = index.dims[0];
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunIndexSelect(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int rank = x.dims().size();
  const int axis = CanonicalAxis(c.Attr<int32_t>("dim"), rank, "dim");
  const GatherShape shape{x.dims().Count(0, axis), x.dims()[axis], x.dims().Count(axis + 1, rank),
                          -1};
  GatherRows(x, c.Input("Index"), "Index", shape, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(index_select)
    .Input("X")
    .Input("Index")
    .Output("Out")
    .Attr<int32_t>("dim", 0)
    .InferShape(InferIndexSelect);
REGISTER_LITE_FUNCTION(index_select, kHost, kAny, kNCHW, RunIndexSelect, def);

}  // namespace
}  // namespace paddle::lite
