#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/window.h"

namespace paddle::lite {
namespace {

// paddings are top, left, bottom, right.
Windows WindowsOf(const OpLite& op) {
  const auto kernels = IntsAttr(op, "kernel_sizes", 2), strides = IntsAttr(op, "strides", 2);
  const auto dilations = IntsAttr(op, "dilations", 2), paddings = IntsAttr(op, "paddings", 4);
  Windows windows;
  for (size_t i = 0; i < 2; ++i) {
    windows[i] = {kernels[i], strides[i], dilations[i], paddings[i], paddings[i + 2]};
    if (kernels[i] < 1 || strides[i] < 1 || dilations[i] < 1)
      throw ShapeError(StrCat("attributes kernel_sizes, strides and dilations have ", kernels[i],
                              ", ", strides[i], " and ", dilations[i],
                              ", expected positive numbers"));
  }
  return windows;
}

void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "input X has shape ", x.dims, ", expected rank 4");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const Windows windows = WindowsOf(c.op());
  int64_t outputs = 1;
  for (int i = 0; i < 2; ++i) {
    c.Require(x.dims[i + 2] < kMaxSpatialSize, "input X has shape ", x.dims,
              ", which is too large");
    outputs *= ConvOutputSize(x.dims[i + 2], windows[static_cast<size_t>(i)]);
  }
  const int64_t taps = windows[0].kernel * windows[1].kernel;
  const DDim columns{x.dims[1], windows[0].kernel, windows[1].kernel};
  c.Require(taps < kMaxSpatialSize, "a kernel of ", taps, " taps is too large");
  c.SetOutput("Y", DDim{x.dims[0], columns.production(), outputs}, x.dtype, x.lod);
}

template <typename T>
void Unfold(KernelContext& c) {
  const DDim& in = c.Input("X").dims();
  const Windows windows = WindowsOf(c.op());
  const auto& [wy, wx, unused] = windows;
  const int64_t out_h = ConvOutputSize(in[2], wy), out_w = ConvOutputSize(in[3], wx);
  const T* x = c.Input("X").data<T>();
  T* y = c.Output("Y").mutable_data<T>();
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, x += in[2] * in[3])
    for (int64_t ky = 0; ky < wy.kernel; ++ky)
      for (int64_t kx = 0; kx < wx.kernel; ++kx)
        for (int64_t oy = 0; oy < out_h; ++oy)
          for (int64_t ox = 0; ox < out_w; ++ox) {
            const int64_t iy = oy * wy.stride - wy.pad_before + ky * wy.dilation;
            const int64_t ix = ox * wx.stride - wx.pad_before + kx * wx.dilation;
            const bool inside = iy >= 0 && iy < in[2] && ix >= 0 && ix < in[3];
            *y++ = inside ? x[iy * in[3] + ix] : T{0};
          }
}

void Run(KernelContext& c) {
  if (c.Input("X").dtype() == DataType::kFP64)
    Unfold<double>(c);
  else
    Unfold<float>(c);
}

REGISTER_LITE_OP(unfold)
    .Input("X")
    .Output("Y")
    .RequiredAttr<std::vector<int32_t>>("kernel_sizes")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0, 0, 0})
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(unfold, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
