#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/image_axes.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
