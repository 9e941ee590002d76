#include <algorithm>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/pooling/window.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

// unfold, and fold, which adds the columns up where they came from.

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

void RequireFloats(const TensorMeta& x) {
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
}

void InferUnfold(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "input X has shape ", x.dims, ", expected rank 4");
  RequireFloats(x);
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

// Calls fn(column element, image element, count) for what the windows cover of the image [height,
// width], in the order of the columns [taps, windows]: `count` neighbours in the columns, the
// horizontal stride apart in the image; -1 stands for padding.
template <typename Fn>
void ForColumns(const Windows& windows, int64_t height, int64_t width, Fn fn) {
  const Window &wy = windows[0], &wx = windows[1];
  const int64_t out_h = ConvOutputSize(height, wy), out_w = ConvOutputSize(width, wx);
  int64_t column = 0;
  for (int64_t ky = 0; ky < wy.kernel; ++ky)
    for (int64_t kx = 0; kx < wx.kernel; ++kx)
      for (int64_t oy = 0; oy < out_h; ++oy, column += out_w) {
        const int64_t iy = oy * wy.stride - wy.pad_before + ky * wy.dilation;
        const int64_t left = kx * wx.dilation - wx.pad_before;  // of the first window's tap
        const auto windows_before = [&](int64_t ix) {  // how many have their tap left of ix
          const int64_t count = (ix - left + wx.stride - 1) / wx.stride;
          return std::clamp<int64_t>(ix <= left ? 0 : count, 0, out_w);
        };
        const bool inside = iy >= 0 && iy < height;
        const int64_t first = inside ? windows_before(0) : out_w;
        const int64_t last = inside ? windows_before(width) : out_w;
        if (first > 0) fn(column, -1, first);
        if (last > first) fn(column + first, iy * width + left + first * wx.stride, last - first);
        if (last < out_w) fn(column + last, -1, out_w - last);
      }
}

template <typename T>
void Unfold(KernelContext& c) {
  const DDim& in = c.Input("X").dims();
  const Windows windows = WindowsOf(c.op());
  const T* x = c.Input("X").data<T>();
  T* y = c.Output("Y").mutable_data<T>();
  const int64_t planes = in[0] * in[1];
  const int64_t columns = planes == 0 ? 0 : c.Output("Y").numel() / planes;
  const int64_t stride = windows[1].stride;
  for (int64_t plane = 0; plane < planes; ++plane, x += in[2] * in[3], y += columns)
    ForColumns(windows, in[2], in[3], [&](int64_t column, int64_t at, int64_t count) {
      if (at < 0)
        std::fill_n(y + column, count, T{0});
      else if (stride == 1)
        std::copy_n(x + at, count, y + column);
      else
        for (int64_t i = 0; i < count; ++i) y[column + i] = x[at + i * stride];
    });
}

void RunUnfold(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { Unfold<decltype(type)>(c); });
}

void InferFold(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 3, "input X has shape ", x.dims, ", expected rank 3");
  RequireFloats(x);
  const Windows windows = WindowsOf(c.op());
  const auto sizes = IntsAttr(c.op(), "output_sizes", 2);
  int64_t columns = 1;
  for (size_t i = 0; i < 2; ++i) {
    c.Require(sizes[i] > 0, "attribute output_sizes has ", sizes[i], ", expected positive numbers");
    columns *= ConvOutputSize(sizes[i], windows[i]);
  }
  c.Require(x.dims[2] == columns, "input X has shape ", x.dims, ", expected ", columns,
            " columns for images of ", sizes[0], " x ", sizes[1]);
  const int64_t taps = windows[0].kernel * windows[1].kernel;
  c.Require(x.dims[1] % taps == 0, "input X has shape ", x.dims, ", expected a multiple of the ",
            taps, " taps of a kernel as its second dimension");
  c.SetOutput("Y", DDim{x.dims[0], x.dims[1] / taps, sizes[0], sizes[1]}, x.dtype, x.lod);
}

template <typename T>
void Fold(KernelContext& c) {
  const DDim& out = c.Output("Y").dims();
  const Windows windows = WindowsOf(c.op());
  const T* x = c.Input("X").data<T>();
  T* y = c.Output("Y").mutable_data<T>();
  std::fill(y, y + out.production(), T{0});
  const int64_t planes = out[0] * out[1];
  const int64_t columns = planes == 0 ? 0 : c.Input("X").numel() / planes;
  const int64_t stride = windows[1].stride;
  for (int64_t plane = 0; plane < planes; ++plane, x += columns, y += out[2] * out[3])
    ForColumns(windows, out[2], out[3], [&](int64_t column, int64_t at, int64_t count) {
      for (int64_t i = 0; at >= 0 && i < count; ++i) y[at + i * stride] += x[column + i];
    });
}

void RunFold(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { Fold<decltype(type)>(c); });
}

REGISTER_LITE_OP(unfold)
    .Input("X")
    .Output("Y")
    .RequiredAttr<std::vector<int32_t>>("kernel_sizes")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0, 0, 0})
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .InferShape(InferUnfold);
REGISTER_LITE_FUNCTION(unfold, kHost, kAny, kNCHW, RunUnfold, def);

REGISTER_LITE_OP(fold)
    .Input("X")
    .Output("Y")
    .RequiredAttr<std::vector<int32_t>>("output_sizes")
    .RequiredAttr<std::vector<int32_t>>("kernel_sizes")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0, 0, 0})
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .InferShape(InferFold);
REGISTER_LITE_FUNCTION(fold, kHost, kAny, kNCHW, RunFold, def);

// Lookahead convolution: each row and those after it in its sequence, weighed per feature.

// Sequences of a LoD, or [batch, time, features] without one.
Offsets SequencesOf(const TensorMeta& x) {
  if (x.dims.size() != 3) return OnlyOffsets(x, "X");
  Offsets offsets;
  for (int64_t i = 0; i <= x.dims[0]; ++i)
    offsets.push_back(static_cast<uint64_t>(i) * static_cast<uint64_t>(x.dims[1]));
  return offsets;
}

void InferRowConv(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &filter = c.Input("Filter");
  c.Require(x.dims.size() == 2 || x.dims.size() == 3, "input X has shape ", x.dims,
            ", expected rank 2 or 3");
  SequencesOf(x);
  c.Require(filter.dims.size() == 2 && filter.dims[0] >= 1 && filter.dims[1] == x.dims.back(),
            "input Filter has shape ", filter.dims, ", expected [rows, ", x.dims.back(), "]");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  if (filter.dtype != x.dtype)
    throw DataTypeError(
        StrCat("input Filter is ", Name(filter.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RowConv(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Offsets offsets = SequencesOf(input.meta());
  const auto width = static_cast<uint64_t>(input.dims().back());
  const auto taps = static_cast<uint64_t>(c.Input("Filter").dims()[0]);
  const T *x = input.data<T>(), *w = c.Input("Filter").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  std::fill(out, out + input.numel(), T{0});
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    for (uint64_t row = offsets[s]; row < offsets[s + 1]; ++row)
      for (uint64_t tap = 0; tap < std::min(taps, offsets[s + 1] - row); ++tap)
        for (uint64_t i = 0; i < width; ++i)
          out[row * width + i] += x[(row + tap) * width + i] * w[tap * width + i];
}

void RunRowConv(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { RowConv<decltype(type)>(c); });
}

REGISTER_LITE_OP(row_conv).Input("X").Input("Filter").Output("Out").InferShape(InferRowConv);
REGISTER_LITE_FUNCTION(row_conv, kHost, kAny, kNCHW, RunRowConv, def);

}  // namespace
}  // namespace paddle::lite
