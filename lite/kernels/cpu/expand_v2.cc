#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

// -1 keeps X's dimension; X is aligned at the last one.
void InferExpandV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const bool from_tensor = c.HasInput("Shape");
  DDim out(from_tensor ? c.IntValues("Shape")
                       : IntsOf<int32_t>(c, "expand_shapes_tensor", "", "shape"));
  const DDim wanted = out;
  const int added = out.size() - x.dims.size();
  c.Require(added >= 0, "shape ", wanted, " has fewer dimensions than X of shape ", x.dims);
  for (int i = 0; i < out.size(); ++i) {
    const int64_t dim = i < added ? 1 : x.dims[i - added];
    if (out[i] == -1 && i >= added) out[i] = dim;
    c.Require(out[i] >= 0 && (dim == 1 || dim == out[i]), "X of shape ", x.dims,
              " does not expand to shape ", wanted);
  }
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void RunExpandV2(KernelContext& c) { BroadcastTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand_v2)
    .Input("X")
    .OptionalInput("Shape")
    .OptionalInputs("expand_shapes_tensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .InferShape(InferExpandV2);
REGISTER_LITE_FUNCTION(expand_v2, kHost, kAny, kNCHW, RunExpandV2, def);

}  // namespace
}  // namespace paddle::lite
