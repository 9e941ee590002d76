#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/image_axes.h"

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

}  // namespace
}  // namespace paddle::lite
