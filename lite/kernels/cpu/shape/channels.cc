#include "lite/kernels/cpu/creation/fill.h"
#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/image_axes.h"
#include "lite/kernels/cpu/shape/nhwc.h"

namespace paddle::lite {
namespace {

void InferPixelShuffle(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t factor = c.Attr<int32_t>("upscale_factor");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  const ImageAxes axes = ImageAxesOf(c);
  c.Require(factor > 0 && x.dims[axes.c] % (factor * factor) == 0, "the square of upscale_factor ",
            factor, " does not divide the ", x.dims[axes.c], " channels of X");
  DDim out = x.dims;
  out[axes.c] /= factor * factor;
  for (const int axis : {axes.h, axes.w})
    if (__builtin_mul_overflow(out[axis], factor, &out[axis]))
      throw ShapeError(StrCat("X of shape ", x.dims, " cannot grow ", factor, " times"));
  c.SetOutput("Out", out, x.dtype);
}

// Channel (c, i, j) of pixel (h, w) becomes channel c of pixel (h * factor + i, w * factor + j).
void RunPixelShuffle(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t r = c.Attr<int32_t>("upscale_factor");
  const ImageAxes a = ImageAxesOf(c);
  const DDim &d = x.dims(), from = StridesOf(x), to = StridesOf(out);
  CopyBox({d[0], out.dims()[a.c], r, r, d[a.h], d[a.w]}, x, 0,
          {from[0], from[a.c] * r * r, from[a.c] * r, from[a.c], from[a.h], from[a.w]}, out, 0,
          {to[0], to[a.c], to[a.h], to[a.w], to[a.h] * r, to[a.w] * r}, c.threads());
}

REGISTER_LITE_OP(pixel_shuffle)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("upscale_factor", 1)
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferPixelShuffle);
REGISTER_LITE_FUNCTION(pixel_shuffle, kHost, kAny, kNCHW, RunPixelShuffle, def);
REGISTER_LITE_FUNCTION(pixel_shuffle, kHost, kFloat, kNHWC, RunPixelShuffle, nhwc);

void InferPixelUnshuffle(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t factor = c.Attr<int32_t>("downscale_factor");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  const ImageAxes axes = ImageAxesOf(c);
  c.Require(factor > 0 && x.dims[axes.h] % factor == 0 && x.dims[axes.w] % factor == 0,
            "downscale_factor ", factor, " does not divide the image of X of shape ", x.dims);
  DDim out = x.dims;
  out[axes.h] /= factor;
  out[axes.w] /= factor;
  c.Require(!__builtin_mul_overflow(factor * factor, out[axes.c], &out[axes.c]), "X of shape ",
            x.dims, " cannot shrink ", factor, " times");
  c.SetOutput("Out", out, x.dtype);
}

// Pixel (h * factor + i, w * factor + j) of channel c becomes pixel (h, w) of channel (c, i, j).
void RunPixelUnshuffle(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const int64_t r = c.Attr<int32_t>("downscale_factor");
  const ImageAxes a = ImageAxesOf(c);
  const DDim &d = x.dims(), from = StridesOf(x), to = StridesOf(out);
  CopyBox({d[0], d[a.c], r, r, out.dims()[a.h], out.dims()[a.w]}, x, 0,
          {from[0], from[a.c], from[a.h], from[a.w], from[a.h] * r, from[a.w] * r}, out, 0,
          {to[0], to[a.c] * r * r, to[a.c] * r, to[a.c], to[a.h], to[a.w]}, c.threads());
}

REGISTER_LITE_OP(pixel_unshuffle)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("downscale_factor", 1)
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferPixelUnshuffle);
REGISTER_LITE_FUNCTION(pixel_unshuffle, kHost, kAny, kNCHW, RunPixelUnshuffle, def);
REGISTER_LITE_FUNCTION(pixel_unshuffle, kHost, kFloat, kNHWC, RunPixelUnshuffle, nhwc);

// shuffle_channel, and channel_shuffle, which also knows channels behind the pixels.
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

// concat along the channels and shuffle_channel at once; made by the plan, never in a file.
void InferInterleaveChannels(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  c.Require(first.dims.size() == 4, "X has shape ", first.dims, ", expected four dimensions");
  RequireAlike(c, "X");
  DDim out = first.dims;
  out[1] *= static_cast<int64_t>(c.InputCount("X"));
  c.SetOutput("Out", out, first.dtype);
}

// Channel i of input j becomes channel i * inputs + j.
void RunInterleaveChannels(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const auto count = static_cast<int64_t>(c.InputCount("X"));
  const DDim to = StridesOf(out);
  for (int64_t j = 0; j < count; ++j) {
    const Tensor& x = c.Input("X", static_cast<size_t>(j));
    CopyBox(x.dims(), x, 0, StridesOf(x), out, j * to[1], {to[0], to[1] * count, to[2], to[3]},
            c.threads());
  }
}

void InterleaveTwo(const float* __restrict a, const float* __restrict b, int64_t channels,
                   float* __restrict to) {
  for (int64_t i = 0; i < channels; ++i) {
    to[2 * i] = a[i];
    to[2 * i + 1] = b[i];
  }
}

void RunInterleaveChannelsNhwc(KernelContext& c) {
  if (c.InputCount("X") != 2) return RunInterleaveChannels(c);
  const Tensor &first = c.Input("X", 0), &second = c.Input("X", 1);
  Tensor& out = c.Output("Out");
  auto* const to = out.mutable_data<float>();
  if (out.numel() == 0) return;
  const NhwcInput a(first), b(second);
  const DDim& dims = first.dims();
  const int64_t a_pixel = PixelStride(first), b_pixel = PixelStride(second);
  const int64_t to_pixel = PixelStride(out);
  math::ParallelRange(c.threads(), dims[0] * dims[2] * dims[3],
                      math::kElementGrain / (2 * dims[1]) + 1, [&](int64_t begin, int64_t end) {
                        for (int64_t p = begin; p < end; ++p)
                          InterleaveTwo(a.data() + p * a_pixel, b.data() + p * b_pixel, dims[1],
                                        to + p * to_pixel);
                      });
}

REGISTER_LITE_OP(interleave_channels).Inputs("X").Output("Out").InferShape(InferInterleaveChannels);
REGISTER_LITE_FUNCTION(interleave_channels, kHost, kAny, kNCHW, RunInterleaveChannels, def);
REGISTER_LITE_FUNCTION(interleave_channels, kHost, kFloat, kNHWC, RunInterleaveChannelsNhwc, nhwc,
                       false, false, true, true);

template <typename Context>
bool ChannelsFirst(const Context& c) {
  const auto& format = c.template Attr<std::string>("data_format");
  if (format != "NCHW" && format != "NHWC")
    throw LiteError(StrCat("attribute data_format is ", format, ", expected NCHW or NHWC"));
  return format == "NCHW";
}

void InferTemporalShift(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int seg_num = c.Attr<int32_t>("seg_num");
  const float ratio = c.Attr<float>("shift_ratio");
  ChannelsFirst(c);
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  c.Require(seg_num > 0 && x.dims[0] % seg_num == 0, "seg_num ", seg_num,
            " does not divide the first dimension of X of shape ", x.dims);
  c.Require(ratio > 0 && ratio <= 0.5f, "shift_ratio is ", ratio, ", expected up to 0.5");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Of the seg_num frames of a clip, the first channels come from the frame before, the next ones
// from the frame after (zeros at the clip's ends), the others stay.
void RunTemporalShift(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const bool first = ChannelsFirst(c);
  const int channel = first ? 1 : 3, height = first ? 2 : 1, width = first ? 3 : 2;
  const DDim &d = x.dims(), from = StridesOf(x), to = StridesOf(out);
  const int64_t frames = c.Attr<int32_t>("seg_num"), clips = d[0] / frames;
  const float ratio = c.Attr<float>("shift_ratio");
  const auto back = static_cast<int64_t>(static_cast<float>(d[channel]) * ratio);
  const auto ahead = static_cast<int64_t>(static_cast<float>(d[channel]) * 2 * ratio);
  auto move = [&](int64_t begin, int64_t end, int64_t to_frame, int64_t from_frame, int64_t count) {
    if (count <= 0) return;
    CopyBox({clips, count, end - begin, d[height], d[width]}, x,
            from_frame * from[0] + begin * from[channel],
            {frames * from[0], from[0], from[channel], from[height], from[width]}, out,
            to_frame * to[0] + begin * to[channel],
            {frames * to[0], to[0], to[channel], to[height], to[width]}, c.threads());
  };
  Fill(out, FillValue::Of(0), c.threads());
  move(0, back, 1, 0, frames - 1);
  move(back, ahead, 0, 1, frames - 1);
  move(ahead, d[channel], 0, 0, frames);
}

REGISTER_LITE_OP(temporal_shift)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("seg_num")
    .Attr<float>("shift_ratio", 0.25f)
    .Attr<std::string>("data_format", "NCHW")
    .InferShape(InferTemporalShift);
REGISTER_LITE_FUNCTION(temporal_shift, kHost, kAny, kNCHW, RunTemporalShift, def);
REGISTER_LITE_FUNCTION(temporal_shift, kHost, kFloat, kNHWC, RunTemporalShift, nhwc);

}  // namespace
}  // namespace paddle::lite
