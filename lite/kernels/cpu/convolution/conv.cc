#include "lite/kernels/cpu/convolution/conv.h"

#include <algorithm>

#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/convolution/conv_nhwc.h"
#include "lite/kernels/cpu/quantised/int8.h"

namespace paddle::lite {
namespace {

// Sizes of a convolution with every tensor seen as three spatial axes, the missing ones of size 1.
struct Shape3 {
  int64_t batch, channels, filters, groups;
  std::array<int64_t, 3> in, out;
  std::array<Window, 3> window;
};

Shape3 ToShape3(const KernelContext& c, const DDim& x, const DDim& w, const DDim& y) {
  const int rank = x.size() - 2;
  const Windows windows = ConvWindows(c.op(), x, w);
  Shape3 s{x[0], x[1], w[0], c.Attr<int32_t>("groups"), {1, 1, 1}, {1, 1, 1}, {}};
  for (int i = 0; i < rank; ++i) {
    const auto at = static_cast<size_t>(3 - rank + i);
    s.in[at] = x[i + 2];
    s.out[at] = y[i + 2];
    s.window[at] = windows[static_cast<size_t>(i)];
  }
  return s;
}

// Taps [first, last) of the window at `out` that fall on one of `in` elements.
void TapRange(const Window& w, int64_t out, int64_t in, int64_t* first, int64_t* last) {
  const int64_t start = out * w.stride - w.pad_before;
  *first = start < 0 ? std::min(w.kernel, (-start + w.dilation - 1) / w.dilation) : 0;
  *last = start < in ? std::min(w.kernel, (in - start - 1) / w.dilation + 1) : 0;
}

template <typename T>
T Dot(const Shape3& s, const T* x, const T* w, int64_t oz, int64_t oy, int64_t ox) {
  const auto& [wz, wy, wx] = s.window;
  const int64_t out[3] = {oz, oy, ox};
  int64_t first[3], last[3];
  for (size_t i = 0; i < 3; ++i) TapRange(s.window[i], out[i], s.in[i], &first[i], &last[i]);
  T sum = 0;
  for (int64_t c = 0; c < s.channels / s.groups; ++c)
    for (int64_t kz = first[0]; kz < last[0]; ++kz)
      for (int64_t ky = first[1]; ky < last[1]; ++ky)
        for (int64_t kx = first[2]; kx < last[2]; ++kx) {
          const int64_t iz = oz * wz.stride - wz.pad_before + kz * wz.dilation;
          const int64_t iy = oy * wy.stride - wy.pad_before + ky * wy.dilation;
          const int64_t ix = ox * wx.stride - wx.pad_before + kx * wx.dilation;
          sum += x[((c * s.in[0] + iz) * s.in[1] + iy) * s.in[2] + ix] *
                 w[((c * wz.kernel + kz) * wy.kernel + ky) * wx.kernel + kx];
        }
  return sum;
}

template <typename T>
void RunConvOp(KernelContext& c, const T* x, const T* w) {
  const Tensor& input = c.Input("Input");
  const Tensor& filter = c.Input("Filter");
  Tensor& output = c.Output("Output");
  const Shape3 s = ToShape3(c, input.dims(), filter.dims(), output.dims());
  const math::Activation act = FusedActivation(c.op());
  const T* bias = c.HasInput("Bias") ? c.Input("Bias").data<T>() : nullptr;
  const T* residual = c.HasInput("ResidualData") ? c.Input("ResidualData").data<T>() : nullptr;
  T* y = output.mutable_data<T>();
  const int64_t in_plane = s.in[0] * s.in[1] * s.in[2];
  const int64_t filter_size = filter.dims().Count(1, filter.dims().size());
  int64_t at = 0;
  for (int64_t n = 0; n < s.batch; ++n)
    for (int64_t m = 0; m < s.filters; ++m) {
      const int64_t group = m / (s.filters / s.groups);
      const T* image = x + (n * s.channels + group * (s.channels / s.groups)) * in_plane;
      for (int64_t oz = 0; oz < s.out[0]; ++oz)
        for (int64_t oy = 0; oy < s.out[1]; ++oy)
          for (int64_t ox = 0; ox < s.out[2]; ++ox, ++at) {
            T sum = Dot(s, image, w + m * filter_size, oz, oy, ox);
            if (bias != nullptr) sum += bias[m];
            if (residual != nullptr) sum += residual[at];
            y[at] = static_cast<T>(ApplyActivation(act, static_cast<double>(sum)));
          }
    }
}

// The same on the multiples of their scales that integers stand for.
void RunInt8(KernelContext& c) {
  const Tensor &input = c.Input("Input"), &filter = c.Input("Filter");
  const std::vector<float> scales = Int8WeightScales(c.op(), filter.dims()[0]);
  std::vector<float> x(input.data<float>(), input.data<float>() + input.numel());
  if (!OnlyWeightIsInt8(c.op())) {
    const Int8Input rounding = Int8InputOf(c, "Input");
    for (float& value : x) value = rounding.Round(value);
  }
  std::vector<float> w(static_cast<size_t>(filter.numel()));
  const size_t one = w.size() / scales.size();
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = static_cast<float>(filter.data<int8_t>()[i]) * scales[i / one];
  RunConvOp<float>(c, x.data(), w.data());
}

}  // namespace

void InferConv(InferContext& c, int rank) {
  RequireChannelsFirst(c.op(), "data_format");
  const TensorMeta& input = c.Input("Input");
  const DDim &x = input.dims, &w = c.Dims("Filter");
  c.Require(x.size() == rank + 2, "input Input has shape ", x, ", expected rank ", rank + 2);
  c.Require(w.size() == x.size(), "input Filter has shape ", w, ", expected rank ", x.size());
  if (input.dtype != DataType::kFP32 && input.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Input is ", Name(input.dtype), ", expected float32 or float64"));
  const bool int8 = input.dtype == DataType::kFP32 && IsInt8(c, "Filter");
  if (!int8 && c.Input("Filter").dtype != input.dtype)
    throw DataTypeError(StrCat("input Filter is ", Name(c.Input("Filter").dtype), ", but Input is ",
                               Name(input.dtype)));
  const int64_t groups = c.Attr<int32_t>("groups");
  c.Require(groups >= 1, "attribute groups is ", groups, ", expected at least 1");
  c.Require(w[0] >= 1 && w[0] % groups == 0, "input Filter has ", w[0],
            " output channels, expected a positive multiple of groups ", groups);
  c.Require(w[1] >= 1 && w[1] < kMaxSpatialSize && x[1] == w[1] * groups, "input Input has ", x[1],
            " channels, but Filter ", w, " with groups ", groups, " takes ", w[1] * groups);
  if (int8) RequireInt8(c, "Filter", w[0], w.Count(1, w.size()));
  RequireConvBias(c, w[0]);
  const Windows windows = ConvWindows(c.op(), x, w);
  DDim out{x[0], w[0]};
  for (int i = 0; i < rank; ++i)
    c.Require(x[i + 2] > 0, "input Input has shape ", x, ", expected no empty spatial axis");
  for (int i = 0; i < rank; ++i)
    out.push_back(ConvOutputSize(x[i + 2], windows[static_cast<size_t>(i)]));
  if (c.HasInput("ResidualData"))
    c.Require(c.Dims("ResidualData") == out && c.Input("ResidualData").dtype == input.dtype,
              "input ResidualData is ", Name(c.Input("ResidualData").dtype), c.Dims("ResidualData"),
              ", expected ", Name(input.dtype), out, " like the output");
  FusedActivation(c.op());
  c.SetOutput("Output", out, input.dtype);
}

OpInfo& DeclareConv(OpInfo& info, int spatial_rank) {
  const auto rank = static_cast<size_t>(spatial_rank);
  info.Input("Input")
      .Input("Filter")
      .OptionalInput("Bias")
      .OptionalInput("ResidualData")
      .Output("Output")
      .Attr<std::vector<int32_t>>("strides", std::vector<int32_t>(rank, 1))
      .Attr<std::vector<int32_t>>("paddings", std::vector<int32_t>(rank, 0))
      .Attr<std::string>("padding_algorithm", "EXPLICIT")
      .Attr<std::vector<int32_t>>("dilations", std::vector<int32_t>(rank, 1))
      .Attr<int32_t>("groups", 1)
      .Attr<std::string>("data_format", spatial_rank == 3 ? "NCDHW" : "NCHW")
      .InferShape([spatial_rank](InferContext& c) { InferConv(c, spatial_rank); });
  return DeclareFusedActivation(info);
}

Windows ConvWindows(const OpLite& op, const DDim& input, const DDim& filter) {
  return ResolveWindows(op, input.size() - 2, input.begin() + 2, filter.begin() + 2, true);
}

void RequireConvBias(const InferContext& c, int64_t channels) {
  if (!c.HasInput("Bias")) return;
  const TensorMeta& bias = c.Input("Bias");
  c.Require(bias.dims.production() == channels, "input Bias has shape ", bias.dims,
            ", expected one element for each of ", channels, " output channels");
  if (bias.dtype != c.Input("Input").dtype)
    throw DataTypeError(StrCat("input Bias is ", Name(bias.dtype), ", but Input is ",
                               Name(c.Input("Input").dtype)));
}

void RunConvReference(KernelContext& c) {
  const Tensor &x = c.Input("Input"), &w = c.Input("Filter");
  if (w.dtype() == DataType::kInt8)
    RunInt8(c);
  else if (x.dtype() == DataType::kFP64)
    RunConvOp<double>(c, x.data<double>(), w.data<double>());
  else
    RunConvOp<float>(c, x.data<float>(), w.data<float>());
}

namespace {

REGISTER_LITE_OP(conv2d);
[[maybe_unused]] OpInfo& conv2d_declared = DeclareInt8(DeclareConv(conv2d_op_info, 2));
REGISTER_LITE_FUNCTION(conv2d, kHost, kAny, kNCHW, RunConvReference, def);
REGISTER_LITE_KERNEL(conv2d, kHost, kFloat, kNHWC, ConvNhwc, def, true, true, true, true,
                     ConvKeepsBytes);
REGISTER_LITE_KERNEL(conv2d, kHost, kUInt8, kNHWC, ConvNhwc, def);  // of what the plan keeps so

REGISTER_LITE_OP(depthwise_conv2d);
[[maybe_unused]] OpInfo& depthwise_conv2d_declared =
    DeclareInt8(DeclareConv(depthwise_conv2d_op_info, 2));
REGISTER_LITE_FUNCTION(depthwise_conv2d, kHost, kAny, kNCHW, RunConvReference, def);
REGISTER_LITE_KERNEL(depthwise_conv2d, kHost, kFloat, kNHWC, ConvNhwc, def, true, true, true, true,
                     ConvKeepsBytes);
REGISTER_LITE_KERNEL(depthwise_conv2d, kHost, kUInt8, kNHWC, ConvNhwc, def);

REGISTER_LITE_OP(conv3d);
[[maybe_unused]] OpInfo& conv3d_declared = DeclareConv(conv3d_op_info, 3);
REGISTER_LITE_FUNCTION(conv3d, kHost, kAny, kNCHW, RunConvReference, def);

}  // namespace
}  // namespace paddle::lite
