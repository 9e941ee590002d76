#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// Ids and Parents are [steps, batch, beams]; Out holds the whole sequence of each last beam.
void InferGatherTree(InferContext& c) {
  const TensorMeta& ids = c.Input("Ids");
  const TensorMeta& parents = c.Input("Parents");
  RequireIndexType(ids.dtype, "Ids");
  c.Require(ids.dims.size() == 3 && ids.dims == parents.dims, "Ids has shape ", ids.dims,
            " and Parents ", parents.dims, "; expected the same three dimensions");
  if (parents.dtype != ids.dtype)
    throw DataTypeError(
        StrCat("Parents is ", Name(parents.dtype), ", but Ids is ", Name(ids.dtype)));
  c.SetOutput("Out", ids.dims, ids.dtype);
}

template <typename T>
void Trace(KernelContext& c) {
  const DDim& dims = c.Input("Ids").dims();
  const T* ids = c.Input("Ids").data<T>();
  const T* parents = c.Input("Parents").data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  const int64_t beams = dims[2], step = dims[1] * dims[2];
  for (int64_t i = 0; dims[0] > 0 && i < step; ++i) {
    const int64_t first = i / beams * beams;
    int64_t beam = i - first;
    for (int64_t t = dims[0] - 1; t >= 0; --t) {
      to[t * step + i] = ids[t * step + first + beam];
      beam = parents[t * step + first + beam];
      if (t > 0 && (beam < 0 || beam >= beams))
        throw ShapeError(StrCat("Parents has ", beam, " in step ", t,
                                ", expected a beam from 0 to ", beams - 1));
    }
  }
}

void RunGatherTree(KernelContext& c) {
  if (c.Input("Ids").dtype() == DataType::kInt32)
    Trace<int32_t>(c);
  else
    Trace<int64_t>(c);
}

REGISTER_LITE_OP(gather_tree)
    .Input("Ids")
    .Input("Parents")
    .Output("Out")
    .InferShape(InferGatherTree);
REGISTER_LITE_FUNCTION(gather_tree, kHost, kAny, kNCHW, RunGatherTree, def);

}  // namespace
}  // namespace paddle::lite
