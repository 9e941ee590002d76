#include "lite/kernels/cpu/tile.h"

namespace paddle::lite {
namespace {

// X repeated until it has the target's shape, of which its own must be divisors.
void InferExpandAs(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& target = c.Dims("target_tensor");
  bool fits = x.dims.size() == target.size();
  for (int i = 0; fits && i < target.size(); ++i)
    fits = x.dims[i] > 0 ? target[i] % x.dims[i] == 0 : target[i] == 0;
  c.Require(fits, "X of shape ", x.dims, " cannot be repeated to the shape ", target,
            " of target_tensor");
  c.SetOutput("Out", target, x.dtype, LodOfSameRows(x, target));
}

void RunExpandAs(KernelContext& c) { TileTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand_as)
    .Input("X")
    .Input("target_tensor")
    .Output("Out")
    .InferShape(InferExpandAs);
REGISTER_LITE_FUNCTION(expand_as, kHost, kAny, kNCHW, RunExpandAs, def);

}  // namespace
}  // namespace paddle::lite
