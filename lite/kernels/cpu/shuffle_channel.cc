#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int group = c.Attr<int32_t>("group");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  c.Require(group > 0 && x.dims[1] % group == 0, "group ", group, " does not divide the ",
            x.dims[1], " channels of X");
  c.SetOutput("Out", x.dims, x.dtype);
}

// Channel g * size + i becomes channel i * groups + g.
void Run(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& d = x.dims();
  const DDim from = StridesOf(x), to = StridesOf(out);
  const int64_t groups = c.Attr<int32_t>("group"), size = d[1] / groups;
  CopyBox({d[0], groups, size, d[2], d[3]}, x, 0,
          {from[0], from[1] * size, from[1], from[2], from[3]}, out, 0,
          {to[0], to[1], to[1] * groups, to[2], to[3]}, c.threads());
}

REGISTER_LITE_OP(shuffle_channel)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("group", 1)
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(shuffle_channel, kHost, kAny, kNCHW, Run, def);
REGISTER_LITE_FUNCTION(shuffle_channel, kHost, kFloat, kNHWC, Run, nhwc);

}  // namespace
}  // namespace paddle::lite
