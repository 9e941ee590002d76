// shuffle_channel, and channel_shuffle, which also knows channels behind the pixels.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/image_axes.h"

namespace paddle::lite {
namespace {

void InferShuffleChannelOp(InferContext& c, const char* attribute, int axis) {
  const TensorMeta& x = c.Input("X");
  const int group = c.Attr<int32_t>(attribute);
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  c.Require(group > 0 && x.dims[axis] % group == 0, attribute, " ", group, " does not divide the ",
            x.dims[axis], " channels of X");
  c.SetOutput("Out", x.dims, x.dtype);
}

// Channel g * size + i becomes channel i * groups + g.
void Shuffle(KernelContext& c, const char* attribute, const ImageAxes& a) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& d = x.dims();
  const DDim from = StridesOf(x), to = StridesOf(out);
  const int64_t groups = c.Attr<int32_t>(attribute), size = d[a.c] / groups;
  CopyBox({d[0], groups, size, d[a.h], d[a.w]}, x, 0,
          {from[0], from[a.c] * size, from[a.c], from[a.h], from[a.w]}, out, 0,
          {to[0], to[a.c], to[a.c] * groups, to[a.h], to[a.w]}, c.threads());
}

void InferShuffleChannel(InferContext& c) { InferShuffleChannelOp(c, "group", 1); }
void InferChannelShuffle(InferContext& c) { InferShuffleChannelOp(c, "groups", ImageAxesOf(c).c); }
void RunShuffleChannel(KernelContext& c) { Shuffle(c, "group", {1, 2, 3}); }
void RunChannelShuffle(KernelContext& c) { Shuffle(c, "groups", ImageAxesOf(c)); }

REGISTER_LITE_OP(shuffle_channel)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("group", 1)
    .InferShape(InferShuffleChannel);
REGISTER_LITE_FUNCTION(shuffle_channel, kHost, kAny, kNCHW, RunShuffleChannel, def);
REGISTER_LITE_FUNCTION(shuffle_channel, kHost, kFloat, kNHWC, RunShuffleChannel, nhwc, false, false,
                       true, true);

REGISTER_LITE_OP(channel_shuffle)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("groups")
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferChannelShuffle);
REGISTER_LITE_FUNCTION(channel_shuffle, kHost, kAny, kNCHW, RunChannelShuffle, def);
REGISTER_LITE_FUNCTION(channel_shuffle, kHost, kFloat, kNHWC, RunChannelShuffle, nhwc);

}  // namespace
}  // namespace paddle::lite
