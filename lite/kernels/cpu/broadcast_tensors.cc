#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferBroadcastTensors(InferContext& c) {
  const size_t count = c.InputCount("X");
  c.Require(c.OutputCount("Out") == count, "X has ", count, " tensors, but Out ",
            c.OutputCount("Out"));
  DDim dims;
  for (size_t i = 0; i < count; ++i) {
    dims = BroadcastDims(dims, c.Dims("X", i), -1);
    if (c.Input("X", i).dtype != c.Input("X").dtype)
      throw DataTypeError(StrCat("X[", i, "] is ", Name(c.Input("X", i).dtype), ", but X[0] is ",
                                 Name(c.Input("X").dtype)));
  }
  for (size_t i = 0; i < count; ++i) c.SetOutput("Out", i, dims, c.Input("X", i).dtype, {});
}

void RunBroadcastTensors(KernelContext& c) {
  for (size_t i = 0; i < c.InputCount("X"); ++i)
    BroadcastTo(c.Input("X", i), c.Output("Out", i), c.threads());
}

REGISTER_LITE_OP(broadcast_tensors).Inputs("X").Outputs("Out").InferShape(InferBroadcastTensors);
REGISTER_LITE_FUNCTION(broadcast_tensors, kHost, kAny, kNCHW, RunBroadcastTensors, def);

}  // namespace
}  // namespace paddle::lite
