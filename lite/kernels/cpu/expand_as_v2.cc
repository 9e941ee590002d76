#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

// Y's shape where target_shape is absent or unknown at export (-1), as 2.6 resolves it.
DDim Target(const InferContext& c) {
  const auto& shape = c.Attr<std::vector<int32_t>>("target_shape");
  DDim target(std::vector<int64_t>(shape.begin(), shape.end()));
  bool known = !target.empty() || !c.HasInput("Y");
  for (const int64_t dim : target) known = known && dim >= 0;
  if (known) return target;
  c.Require(c.HasInput("Y"), "target_shape ", target, " is unknown and there is no Y");
  return c.Dims("Y");
}

void InferExpandAsV2(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim out = Target(c);
  const int added = out.size() - x.dims.size();
  bool fits = added >= 0;
  for (int i = 0; fits && i < x.dims.size(); ++i)
    fits = x.dims[i] == 1 || x.dims[i] == out[i + added];
  c.Require(fits, "X of shape ", x.dims, " does not expand to shape ", out);
  c.SetOutput("Out", out, x.dtype);
}

void RunExpandAsV2(KernelContext& c) { BroadcastTo(c.Input("X"), c.Output("Out"), c.threads()); }

REGISTER_LITE_OP(expand_as_v2)
    .Input("X")
    .OptionalInput("Y")
    .Output("Out")
    .Attr<std::vector<int32_t>>("target_shape", {})
    .InferShape(InferExpandAsV2);
REGISTER_LITE_FUNCTION(expand_as_v2, kHost, kAny, kNCHW, RunExpandAsV2, def);

}  // namespace
}  // namespace paddle::lite
