#include "lite/kernels/cpu/quantised/fake_quant.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/int8.h"

namespace paddle::lite {
namespace {

void RequireFloatScale(const InferContext& c, const char* slot, int64_t count) {
  RequireFloat(c, slot);
  c.Require(c.Dims(slot).production() == count, "input ", slot, " has shape ", c.Dims(slot),
            ", expected ", count, " number(s)");
}

// Paddle divides by a vanishing scale plus 1e-6.
float Inverse(float scale) { return scale <= 1e-30f ? 1.0f / (scale + 1e-6f) : 1.0f / scale; }

float LargestMagnitude(const float* x, int64_t count) {
  float largest = 0;
  for (int64_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(x[i]));
  return largest;
}

void ApplyParallel(const QuantGrid& grid, int threads, const Tensor& x, float scale, float* out) {
  const float* from = x.data<float>();
  math::ParallelRange(threads, x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    grid.Apply(from + begin, end - begin, scale, out + begin);
  });
}

void InferStaticQuant(InferContext& c) {
  CheckQuantAttrs(c);
  c.Require(c.Attr<bool>("is_test"),
            "is_test is false: the operator would learn its scale as it runs; export the model "
            "for inference");
  RequireFloatScale(c, "InScale", 1);
  const TensorMeta& x = c.Input("X");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("OutScale", c.Dims("InScale"), DataType::kFP32);
}

void InferDynamicQuant(InferContext& c) {
  CheckQuantAttrs(c);
  const TensorMeta& x = c.Input("X");
  const bool channel_wise = c.op().info().FindAttr("quant_axis") >= 0;
  const int64_t scales = channel_wise ? x.dims[c.Attr<int>("quant_axis")] : 1;
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("OutScale", DDim({scales}), DataType::kFP32);
}

}  // namespace

void QuantGrid::Apply(const float* x, int64_t count, float scale, float* out) const {
  const float factor = bound * Inverse(scale);
  if (bound <= 32767 && scale > 1e-30f && std::isfinite(factor)) {
    // Cutting at the scale and at the bound is the same then.
    const math::Int8Rounding how = {factor, ties_to_even ? -bound - 1 : -bound, bound,
                                    ties_to_even};
    return math::RoundReals(x, count, how, scale, dequantize ? bound : 0, out);
  }
  if (ties_to_even) {
    for (int64_t i = 0; i < count; ++i) {
      const float step = std::nearbyint(factor * x[i]);
      out[i] = step > bound ? bound : step < -bound - 1 ? -bound - 1 : step;
    }
  } else {
    for (int64_t i = 0; i < count; ++i) {
      const float cut = x[i] > scale ? scale : x[i] < -scale ? -scale : x[i];
      out[i] = std::round(factor * cut);
    }
  }
  if (!dequantize) return;
  for (int64_t i = 0; i < count; ++i) out[i] = out[i] * scale / bound;
}

QuantGrid GridOf(const OpLite& op, bool dequantize) {
  QuantGrid grid;
  grid.bound = static_cast<float>((int64_t{1} << (op.Attr<int>("bit_length") - 1)) - 1);
  grid.ties_to_even = op.Attr<int>("round_type") == 0;
  grid.dequantize = dequantize;
  return grid;
}

ChannelView ViewChannels(const DDim& dims, int64_t axis) {
  const int rank = static_cast<int>(dims.size());
  ChannelView view;
  if (axis < 0) {
    view.inner = dims.production();
    return view;
  }
  view.outer = dims.Count(0, static_cast<int>(axis));
  view.channels = dims[static_cast<int>(axis)];
  view.inner = dims.Count(static_cast<int>(axis) + 1, rank);
  return view;
}

void CheckQuantAttrs(const InferContext& c) {
  RequireFloat(c, "X");
  const int bits = c.Attr<int>("bit_length"), rounding = c.Attr<int>("round_type");
  c.Require(bits >= 2 && bits <= 24, "bit_length is ", bits, ", expected 2 to 24");
  c.Require(rounding == 0 || rounding == 1, "round_type is ", rounding,
            ", expected 0 (ties to even) or 1 (ties away from zero)");
  if (c.op().info().FindAttr("quant_axis") < 0) return;
  const int axis = c.Attr<int>("quant_axis");
  const int lowest = c.op().info().FindInput("Scale") >= 0 ? -1 : 0;
  c.Require(axis >= lowest && axis < static_cast<int>(c.Dims("X").size()), "quant_axis is ", axis,
            ", expected ", lowest, " to the rank of X, ", c.Dims("X"));
}

OpInfo& DeclareStaticQuant(OpInfo& info) {
  return info.Input("X")
      .Input("InScale")
      .Output("Out")
      .OptionalOutput("OutScale")
      .Attr<int>("bit_length", 8)
      .Attr<int>("round_type", 1)
      .Attr<bool>("is_test", false)
      .InferShape(InferStaticQuant);
}

template <bool kDequantize>
void RunStaticQuant(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const float scale = c.Input("InScale").data<float>()[0];
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  ApplyParallel(GridOf(c.op(), kDequantize), c.threads(), x, scale, out.mutable_data<float>());
  if (Tensor* kept = c.OutputOrNull("OutScale")) kept->mutable_data<float>()[0] = scale;
}
template void RunStaticQuant<false>(KernelContext&);
template void RunStaticQuant<true>(KernelContext&);

OpInfo& DeclareDynamicQuant(OpInfo& info, bool channel_wise) {
  info.Input("X")
      .Output("Out")
      .OptionalOutput("OutScale")
      .Attr<int>("bit_length", 8)
      .Attr<int>("round_type", 1)
      .InferShape(InferDynamicQuant);
  if (channel_wise) info.Attr<int>("quant_axis", 0);
  return info;
}

template <bool kDequantize, bool kChannelWise>
void RunDynamicQuant(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const float* from = x.data<float>();
  float* to = out.mutable_data<float>();
  const QuantGrid grid = GridOf(c.op(), kDequantize);
  int64_t axis = -1;
  if constexpr (kChannelWise) axis = c.Attr<int>("quant_axis");
  const ChannelView view = ViewChannels(x.dims(), axis);
  std::vector<float> scales(static_cast<size_t>(view.channels), 0.0f);
  const auto each_row = [&](auto&& fn) {
    for (int64_t o = 0; o < view.outer; ++o)
      for (int64_t k = 0; k < view.channels; ++k)
        fn((o * view.channels + k) * view.inner, &scales[static_cast<size_t>(k)]);
  };
  each_row([&](int64_t at, float* scale) {
    *scale = std::max(*scale, LargestMagnitude(from + at, view.inner));
  });
  if constexpr (kChannelWise)
    each_row([&](int64_t at, const float* s) { grid.Apply(from + at, view.inner, *s, to + at); });
  else
    ApplyParallel(grid, c.threads(), x, scales[0], to);
  if (Tensor* kept = c.OutputOrNull("OutScale"))
    std::copy(scales.begin(), scales.end(), kept->mutable_data<float>());
}
template void RunDynamicQuant<false, false>(KernelContext&);
template void RunDynamicQuant<false, true>(KernelContext&);
template void RunDynamicQuant<true, false>(KernelContext&);
template void RunDynamicQuant<true, true>(KernelContext&);

OpInfo& DeclareLinearQuant(OpInfo& info) {
  return info.Input("X")
      .Input("Scale")
      .OptionalInput("ZeroPoint")
      .Output("Y")
      .OptionalOutput("OutScale")
      .Attr<int>("quant_axis", 0)
      .Attr<int>("bit_length", 8)
      .Attr<int>("round_type", 0)
      .Attr<bool>("only_observer", false);
}

namespace {

// X in steps of its largest magnitude, as floats.
void RunFakeQuantizeAbsMax(KernelContext& c) { RunDynamicQuant<false, false>(c); }
REGISTER_LITE_OP(fake_quantize_abs_max);
[[maybe_unused]] OpInfo& fake_quantize_abs_max_declared =
    DeclareDynamicQuant(fake_quantize_abs_max_op_info, false);
REGISTER_LITE_FUNCTION(fake_quantize_abs_max, kHost, kFloat, kAny, RunFakeQuantizeAbsMax, def);

// X rounded to a grid up to its largest magnitude.
void RunFakeQuantizeDequantizeAbsMax(KernelContext& c) { RunDynamicQuant<true, false>(c); }
REGISTER_LITE_OP(fake_quantize_dequantize_abs_max);
[[maybe_unused]] OpInfo& fake_quantize_dequantize_abs_max_declared =
    DeclareDynamicQuant(fake_quantize_dequantize_abs_max_op_info, false);
REGISTER_LITE_FUNCTION(fake_quantize_dequantize_abs_max, kHost, kFloat, kAny,
                       RunFakeQuantizeDequantizeAbsMax, def);

// X in steps of the largest magnitude of each channel, as floats.
void RunFakeChannelWiseQuantizeAbsMax(KernelContext& c) { RunDynamicQuant<false, true>(c); }
REGISTER_LITE_OP(fake_channel_wise_quantize_abs_max);
[[maybe_unused]] OpInfo& fake_channel_wise_quantize_abs_max_declared =
    DeclareDynamicQuant(fake_channel_wise_quantize_abs_max_op_info, true);
REGISTER_LITE_FUNCTION(fake_channel_wise_quantize_abs_max, kHost, kFloat, kNCHW,
                       RunFakeChannelWiseQuantizeAbsMax, def);

// X rounded to a grid up to the largest magnitude of each channel.
void RunFakeChannelWiseQuantizeDequantizeAbsMax(KernelContext& c) {
  RunDynamicQuant<true, true>(c);
}
REGISTER_LITE_OP(fake_channel_wise_quantize_dequantize_abs_max);
[[maybe_unused]] OpInfo& fake_channel_wise_quantize_dequantize_abs_max_declared =
    DeclareDynamicQuant(fake_channel_wise_quantize_dequantize_abs_max_op_info, true);
REGISTER_LITE_FUNCTION(fake_channel_wise_quantize_dequantize_abs_max, kHost, kFloat, kNCHW,
                       RunFakeChannelWiseQuantizeDequantizeAbsMax, def);

// X in steps of InScale, as floats.
REGISTER_LITE_OP(fake_quantize_range_abs_max);
[[maybe_unused]] OpInfo& fake_quantize_range_abs_max_declared =
    DeclareStaticQuant(fake_quantize_range_abs_max_op_info);
REGISTER_LITE_FUNCTION(fake_quantize_range_abs_max, kHost, kFloat, kAny, RunStaticQuant<false>,
                       def);

// X in steps of InScale, as floats.
REGISTER_LITE_OP(fake_quantize_moving_average_abs_max);
[[maybe_unused]] OpInfo& fake_quantize_moving_average_abs_max_declared =
    DeclareStaticQuant(fake_quantize_moving_average_abs_max_op_info);
REGISTER_LITE_FUNCTION(fake_quantize_moving_average_abs_max, kHost, kFloat, kAny,
                       RunStaticQuant<false>, def);

// X rounded to multiples of InScale / (2^(bits - 1) - 1).
REGISTER_LITE_OP(fake_quantize_dequantize_moving_average_abs_max);
[[maybe_unused]] OpInfo& fake_quantize_dequantize_moving_average_abs_max_declared =
    DeclareStaticQuant(fake_quantize_dequantize_moving_average_abs_max_op_info);
REGISTER_LITE_FUNCTION(fake_quantize_dequantize_moving_average_abs_max, kHost, kFloat, kAny,
                       RunStaticQuant<true>, def);

}  // namespace
}  // namespace paddle::lite
