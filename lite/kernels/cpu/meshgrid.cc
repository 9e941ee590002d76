#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

// Axis i has the length of X[i]; a 0-D input counts as one element.
void InferMeshgrid(InferContext& c) {
  const size_t count = c.InputCount("X");
  c.Require(c.OutputCount("Out") == count, "Out has ", c.OutputCount("Out"), " tensors, but X has ",
            count);
  DDim dims;
  for (size_t i = 0; i < count; ++i) {
    const DDim& x = c.Dims("X", i);
    c.Require(x.size() <= 1, "X[", i, "] has shape ", x, ", expected one dimension");
    dims.push_back(x.production());
  }
  for (size_t i = 0; i < count; ++i) c.SetOutput("Out", i, dims, c.Input("X", i).dtype, {});
}

void RunMeshgrid(KernelContext& c) {
  for (size_t i = 0; i < c.InputCount("X"); ++i) {
    Tensor& out = c.Output("Out", i);
    DDim from = out.dims();
    for (int axis = 0; axis < from.size(); ++axis) from[axis] = axis == static_cast<int>(i);
    CopyBox(out.dims(), c.Input("X", i), 0, from, out, 0, RowMajorStrides(out.dims()), c.threads());
  }
}

REGISTER_LITE_OP(meshgrid).Inputs("X").Outputs("Out").InferShape(InferMeshgrid);
REGISTER_LITE_FUNCTION(meshgrid, kHost, kAny, kNCHW, RunMeshgrid, def);

}  // namespace
}  // namespace paddle::lite
