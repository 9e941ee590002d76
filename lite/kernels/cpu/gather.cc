#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

template <typename Context>
int AxisOf(const Context& c) {
  return CanonicalAxis(IntOf<int32_t>(c, "Axis", "axis"), DimsOf(c, "X").size(), "axis");
}

// Index is 1-D, [n, 1] or 0-D; a 0-D one removes the axis.
void InferGather(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  RequireIndexType(index.dtype, "Index");
  const int rank = index.dims.size();
  c.Require(rank <= 1 || (rank == 2 && index.dims[1] == 1), "Index has shape ", index.dims,
            ", expected [n], [n, 1] or []");
  const int axis = AxisOf(c);
  DDim out(x.dims.begin(), static_cast<size_t>(axis));
  if (rank > 0) out.push_back(index.dims[0]);
  for (int i = axis + 1; i < x.dims.size(); ++i) out.push_back(x.dims[i]);
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunGather(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int axis = AxisOf(c), rank = x.dims().size();
  const GatherShape shape{x.dims().Count(0, axis), x.dims()[axis], x.dims().Count(axis + 1, rank),
                          -1};
  GatherRows(x, c.Input("Index"), "Index", shape, c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(gather)
    .Input("X")
    .Input("Index")
    .OptionalInput("Axis")
    .Output("Out")
    .Attr<int32_t>("axis", 0)
    .InferShape(InferGather);
REGISTER_LITE_FUNCTION(gather, kHost, kAny, kNCHW, RunGather, def);

}  // namespace
}  // namespace paddle::lite
