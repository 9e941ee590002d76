#include "lite/kernels/cpu/convolution/conv_transpose.h"

#include <algorithm>

#include "lite/kernels/cpu/activation/activation.h"
#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/convolution/conv.h"
#include "lite/kernels/cpu/convolution/conv_nhwc.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// The output size along one axis when nothing asks for more.
int64_t SmallestOutput(int64_t input, const Window& w) {
  return (input - 1) * w.stride - w.pad_before - w.pad_after + w.span();
}

int64_t OutputSize(const InferContext& c, int64_t input, const Window& w,
                   const std::vector<int64_t>& wanted, size_t axis) {
  int64_t size = SmallestOutput(input, w);
  const auto& extra = c.Attr<std::vector<int32_t>>("output_padding");
  if (!wanted.empty()) {
    c.Require(wanted[axis] >= size && wanted[axis] < size + w.stride, "output_size is ",
              wanted[axis], ", expected a value in [", size, ", ", size + w.stride,
              ") for an input of ", input, " and stride ", w.stride);
    size = wanted[axis];
  } else if (!extra.empty()) {
    c.Require(extra[axis] >= 0 && extra[axis] < std::max(w.stride, w.dilation),
              "attribute output_padding has ", extra[axis], ", expected less than the stride ",
              w.stride, " or the dilation ", w.dilation);
    size += extra[axis];
  }
  c.Require(size > 0, "the output would have ", size, " elements along an axis; paddings ",
            w.pad_before, " and ", w.pad_after, " are too large for an input of ", input);
  return size;
}

// Sizes with every tensor seen as three spatial axes, the missing ones of size 1.
struct Volume {
  std::array<int64_t, 3> in{1, 1, 1}, out{1, 1, 1};
  std::array<Window, 3> window;
};

Volume ToVolume(const Windows& windows, const DDim& in, const DDim& out) {
  Volume v;
  for (int i = 2; i < in.size(); ++i) {
    const auto at = static_cast<size_t>(3 - in.size() + i);
    v.in[at] = in[i];
    v.out[at] = out[i];
    v.window[at] = windows[static_cast<size_t>(i) - 2];
  }
  return v;
}

// Adds what one row of `count` elements x gives to the rows y that a row of taps reaches.
template <typename T>
void ScatterRow(const Window& w, int64_t count, int64_t limit, const T* x, const T* taps, T* y) {
  for (int64_t ix = 0; ix < count; ++ix)
    for (int64_t kx = 0; kx < w.kernel; ++kx) {
      const int64_t ox = ix * w.stride - w.pad_before + kx * w.dilation;
      if (ox >= 0 && ox < limit) y[ox] += x[ix] * taps[kx];
    }
}

template <typename T>
void Scatter(const Volume& v, const T* x, const T* w, T* y) {
  const auto& [wz, wy, wx] = v.window;
  for (int64_t iz = 0; iz < v.in[0]; ++iz)
    for (int64_t iy = 0; iy < v.in[1]; ++iy, x += v.in[2])
      for (int64_t kz = 0; kz < wz.kernel; ++kz)
        for (int64_t ky = 0; ky < wy.kernel; ++ky) {
          const int64_t oz = iz * wz.stride - wz.pad_before + kz * wz.dilation;
          const int64_t oy = iy * wy.stride - wy.pad_before + ky * wy.dilation;
          if (oz >= 0 && oz < v.out[0] && oy >= 0 && oy < v.out[1])
            ScatterRow(wx, v.in[2], v.out[2], x, w + (kz * wy.kernel + ky) * wx.kernel,
                       y + (oz * v.out[1] + oy) * v.out[2]);
        }
}

template <typename T>
void RunConvTransposeOp(KernelContext& c) {
  const Tensor& filter = c.Input("Filter");
  const DDim &in = c.Input("Input").dims(), &taps = filter.dims(), &out = c.Output("Output").dims();
  const Volume volume = ToVolume(ConvWindows(c.op(), in, taps), in, out);
  const math::Activation act = FusedActivation(c.op());
  const T *x = c.Input("Input").data<T>(), *w = filter.data<T>();
  const T* bias = c.HasInput("Bias") ? c.Input("Bias").data<T>() : nullptr;
  T* y = c.Output("Output").mutable_data<T>();
  const int64_t groups = c.Attr<int32_t>("groups");
  const int64_t in_group = in[1] / groups, out_group = taps[1];
  const int64_t in_plane = in.Count(2, in.size()), plane = out.Count(2, out.size());
  const int64_t kernel = taps.Count(2, taps.size());
  for (int64_t n = 0; n < out[0]; ++n)
    for (int64_t m = 0; m < out[1]; ++m, y += plane) {
      std::fill(y, y + plane, bias == nullptr ? T{0} : bias[m]);
      const int64_t first = m / out_group * in_group;
      for (int64_t i = first; i < first + in_group; ++i)
        Scatter(volume, x + (n * in[1] + i) * in_plane,
                w + (i * out_group + m % out_group) * kernel, y);
      for (int64_t i = 0; i < plane; ++i)
        y[i] = static_cast<T>(ApplyActivation(act, static_cast<double>(y[i])));
    }
}

void InferConvTranspose(InferContext& c, int rank) {
  RequireChannelsFirst(c.op(), "data_format");
  const TensorMeta& input = c.Input("Input");
  const DDim &x = input.dims, &w = c.Dims("Filter");
  c.Require(x.size() == rank + 2, "input Input has shape ", x, ", expected rank ", rank + 2);
  c.Require(w.size() == rank + 2, "input Filter has shape ", w, ", expected rank ", rank + 2);
  if (input.dtype != DataType::kFP32 && input.dtype != DataType::kFP64)
    throw DataTypeError(
        StrCat("input Input is ", Name(input.dtype), ", expected float32 or float64"));
  if (c.Input("Filter").dtype != input.dtype)
    throw DataTypeError(StrCat("input Filter is ", Name(c.Input("Filter").dtype), ", but Input is ",
                               Name(input.dtype)));
  const int64_t groups = c.Attr<int32_t>("groups");
  c.Require(groups >= 1, "attribute groups is ", groups, ", expected at least 1");
  c.Require(x[1] >= 1 && w[0] == x[1] && x[1] % groups == 0, "input Input has ", x[1],
            " channels and Filter ", w, " takes ", w[0], ", expected a multiple of groups ",
            groups);
  c.Require(w[1] >= 1 && w[1] < kMaxSpatialSize, "input Filter has shape ", w,
            ", expected at least one output channel");
  RequireConvBias(c, w[1] * groups);
  const Windows windows = ConvWindows(c.op(), x, w);
  const auto count = static_cast<size_t>(rank);
  const auto wanted = IntsOf<int32_t>(c, "OutputSizeTensorList", "OutputSizeTensor", "output_size");
  const auto& extra = c.Attr<std::vector<int32_t>>("output_padding");
  c.Require(wanted.empty() || wanted.size() == count, "output_size has ", wanted.size(),
            " values, expected ", count);
  c.Require(extra.empty() || extra.size() == count, "attribute output_padding has ", extra.size(),
            " values, expected ", count);
  c.Require(std::all_of(x.begin() + 2, x.end(), [](int64_t size) { return size > 0; }),
            "input Input has shape ", x, ", expected no empty spatial axis");
  DDim out{x[0], w[1] * groups};
  for (size_t i = 0; i < count; ++i)
    out.push_back(OutputSize(c, x[static_cast<int>(i) + 2], windows[i], wanted, i));
  FusedActivation(c.op());
  c.SetOutput("Output", out, input.dtype);
}

}  // namespace

OpInfo& DeclareConvTranspose(OpInfo& info, int spatial_rank) {
  const auto rank = static_cast<size_t>(spatial_rank);
  info.Input("Input")
      .Input("Filter")
      .OptionalInput("Bias")
      .OptionalInput("OutputSizeTensor")
      .OptionalInputs("OutputSizeTensorList")
      .Output("Output")
      .Attr<std::vector<int32_t>>("strides", std::vector<int32_t>(rank, 1))
      .Attr<std::vector<int32_t>>("paddings", std::vector<int32_t>(rank, 0))
      .Attr<std::string>("padding_algorithm", "EXPLICIT")
      .Attr<std::vector<int32_t>>("dilations", std::vector<int32_t>(rank, 1))
      .Attr<int32_t>("groups", 1)
      .Attr<std::vector<int32_t>>("output_size", {})
      .Attr<std::vector<int32_t>>("output_padding", {})
      .Attr<std::string>("data_format", spatial_rank == 3 ? "NCDHW" : "NCHW")
      .InferShape([spatial_rank](InferContext& c) { InferConvTranspose(c, spatial_rank); });
  return DeclareFusedActivation(info);
}

void RunConvTransposeReference(KernelContext& c) {
  if (c.Input("Input").dtype() == DataType::kFP64)
    RunConvTransposeOp<double>(c);
  else
    RunConvTransposeOp<float>(c);
}

namespace {

REGISTER_LITE_OP(conv2d_transpose);
[[maybe_unused]] OpInfo& conv2d_transpose_declared =
    DeclareConvTranspose(conv2d_transpose_op_info, 2);
REGISTER_LITE_FUNCTION(conv2d_transpose, kHost, kAny, kNCHW, RunConvTransposeReference, def);
REGISTER_LITE_KERNEL(conv2d_transpose, kHost, kFloat, kNHWC, ConvTransposeNhwc, def, true, true);

// As Paddle 3 writes it; here conv2d_transpose has the optional bias too.
REGISTER_LITE_OP(conv2d_transpose_bias);
[[maybe_unused]] OpInfo& declared_bias = DeclareConvTranspose(conv2d_transpose_bias_op_info, 2);
REGISTER_LITE_FUNCTION(conv2d_transpose_bias, kHost, kAny, kNCHW, RunConvTransposeReference, def);
REGISTER_LITE_KERNEL(conv2d_transpose_bias, kHost, kFloat, kNHWC, ConvTransposeNhwc, def, true,
                     true);

REGISTER_LITE_OP(depthwise_conv2d_transpose);
[[maybe_unused]] OpInfo& depthwise_conv2d_transpose_declared =
    DeclareConvTranspose(depthwise_conv2d_transpose_op_info, 2);
REGISTER_LITE_FUNCTION(depthwise_conv2d_transpose, kHost, kAny, kNCHW, RunConvTransposeReference,
                       def);
REGISTER_LITE_KERNEL(depthwise_conv2d_transpose, kHost, kFloat, kNHWC, ConvTransposeNhwc, def, true,
                     true);

REGISTER_LITE_OP(conv3d_transpose);
[[maybe_unused]] OpInfo& conv3d_transpose_declared =
    DeclareConvTranspose(conv3d_transpose_op_info, 3);
REGISTER_LITE_FUNCTION(conv3d_transpose, kHost, kAny, kNCHW, RunConvTransposeReference, def);

}  // namespace
}  // namespace paddle::lite
