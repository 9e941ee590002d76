// A convolution of 1 x 1 pixels without its zero weights, as Paddle Lite's optimizer stores it.
#include <algorithm>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/activation/fused_activation.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/parallel_range.h"

namespace paddle::lite {
namespace {

constexpr int64_t kTile = 64;  // pixels

struct SparseWeight {
  std::vector<int64_t> end;      // of each output channel, in the others
  std::vector<int64_t> channel;  // of the input
  std::vector<float> weight;
};

// OcNonZeros says where each output channel ends in the two others. Each begins with as many
// zeros as bring its first weight to a multiple of 4. Diffs are bytes: from a weight's channel to
// the next one's; behind an output channel, from first_ic to the next one's first.
SparseWeight Decode(const KernelContext& c) {
  const Tensor &w = c.Input("NonZeroWeights"), &ends = c.Input("OcNonZeros");
  const Tensor &diffs = c.Input("Diffs"), &x = c.Input("Input");
  const auto bad = [](const auto&... parts) {
    return ShapeError(StrCat(parts..., "; the file was made for another input size or is damaged"));
  };
  const int64_t plane = x.dims()[2] * x.dims()[3] * static_cast<int64_t>(sizeof(float));
  const int64_t stored = std::min(w.numel(), diffs.numel());
  SparseWeight result;
  int64_t at = 0, first = c.Attr<int>("first_ic");
  for (int64_t o = 0; o < ends.numel(); ++o) {
    const int64_t end = ends.data<int32_t>()[o];
    if (end < at || end > stored)
      throw bad("input OcNonZeros has ", end, " for channel ", o, ", expected ", at, " to ",
                stored);
    int64_t channel = first;
    const int64_t begin = std::min((at + 3) / 4 * 4, end);
    for (int64_t i = begin; i < end; ++i) {
      if (channel < 0 || channel >= x.dims()[1])
        throw bad("weight ", i, " is for channel ", channel, ", but input Input has shape ",
                  x.dims());
      result.channel.push_back(channel);
      result.weight.push_back(w.data<float>()[i]);
      const int64_t step = diffs.data<int32_t>()[i];
      if (step % plane != 0)
        throw bad("input Diffs has ", step, ", expected a multiple of ", plane, " bytes");
      channel += step / plane;
      if (i + 1 == end) first = c.Attr<int>("first_ic") + step / plane;
    }
    result.end.push_back(static_cast<int64_t>(result.weight.size()));
    at = end;
  }
  return result;
}

void RequireOnePixel(const InferContext& c, const char* attribute, int32_t expected) {
  for (const int32_t value : c.Attr<std::vector<int32_t>>(attribute))
    c.Require(value == expected, "attribute ", attribute, " has ", value, ", expected ", expected);
}

void InferSparseConv2d(InferContext& c) {
  RequireFloat(c, "Input");
  RequireFloat(c, "NonZeroWeights");
  const DDim& x = c.Dims("Input");
  c.Require(x.size() == 4 && x[2] > 0 && x[3] > 0, "input Input has shape ", x,
            ", expected rank 4 and no empty spatial axis");
  for (const char* slot : {"OcNonZeros", "Diffs"})
    if (c.Input(slot).dtype != DataType::kInt32)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected int32"));
  RequireOnePixel(c, "strides", 1);
  RequireOnePixel(c, "dilations", 1);
  RequireOnePixel(c, "paddings", 0);
  c.Require(c.Attr<int>("groups") == 1, "attribute groups is ", c.Attr<int>("groups"),
            ", expected 1");
  c.Require(c.Attr<int>("flag_semi") == 0, "attribute flag_semi is ", c.Attr<int>("flag_semi"),
            ": output channels that share their zeros are not supported, expected 0");
  const int64_t filters = c.Dims("OcNonZeros").production();
  if (c.HasInput("Bias")) {
    RequireFloat(c, "Bias");
    c.Require(c.Dims("Bias").production() == filters, "input Bias has shape ", c.Dims("Bias"),
              ", expected ", filters, " numbers");
  }
  FusedActivation(c.op());
  c.SetOutput("Output", DDim({x[0], filters, x[2], x[3]}), DataType::kFP32);
}

void RunSparseConv2d(KernelContext& c) {
  const Tensor& input = c.Input("Input");
  const SparseWeight sparse = Decode(c);
  const math::Activation act = FusedActivation(c.op());
  const float* bias = c.HasInput("Bias") ? c.Input("Bias").data<float>() : nullptr;
  const int64_t channels = input.dims()[1], plane = input.dims()[2] * input.dims()[3];
  const auto filters = static_cast<int64_t>(sparse.end.size());
  const int64_t tiles = (plane + kTile - 1) / kTile;
  float* y = c.Output("Output").mutable_data<float>();
  const auto run_tile = [&](int64_t image, int64_t first) {
    const float* x = input.data<float>() + image * channels * plane + first;
    float* out = y + image * filters * plane + first;
    const int64_t pixels = std::min(kTile, plane - first);
    int64_t i = 0;
    for (int64_t o = 0; o < filters; ++o, out += plane) {
      float sums[kTile];
      std::fill(sums, sums + kTile, bias == nullptr ? 0.0f : bias[o]);
      for (; i < sparse.end[static_cast<size_t>(o)]; ++i) {
        const float weight = sparse.weight[static_cast<size_t>(i)];
        const float* from = x + sparse.channel[static_cast<size_t>(i)] * plane;
        if (pixels == kTile)
          for (int64_t p = 0; p < kTile; ++p) sums[p] += weight * from[p];
        else
          for (int64_t p = 0; p < pixels; ++p) sums[p] += weight * from[p];
      }
      std::copy(sums, sums + pixels, out);
    }
  };
  const auto weights = static_cast<int64_t>(sparse.weight.size());
  const int64_t grain = math::kElementGrain / (kTile * std::max<int64_t>(weights, 1)) + 1;
  math::ParallelRange(c.threads(), input.dims()[0] * tiles, grain, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; ++t) run_tile(t / tiles, t % tiles * kTile);
  });
  if (act.kind == math::Act::kNone) return;
  math::EpilogueStep step;
  step.act = act;
  math::RunSteps(1, c.Output("Output").numel(), y, c.Output("Output").numel(), y,
                 c.Output("Output").numel(), &step, 1, 0);
}

REGISTER_LITE_OP(sparse_conv2d)
    .Input("Input")
    .Input("NonZeroWeights")
    .Input("OcNonZeros")
    .Input("Diffs")
    .OptionalInput("Bias")
    .Output("Output")
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::vector<int32_t>>("dilations", {1, 1})
    .Attr<int>("groups", 1)
    .Attr<int>("first_ic", 0)
    .Attr<int>("flag_semi", 0)
    .InferShape(InferSparseConv2d);
[[maybe_unused]] OpInfo& sparse_conv2d_declared = DeclareFusedActivation(sparse_conv2d_op_info);
REGISTER_LITE_FUNCTION(sparse_conv2d, kHost, kFloat, kNCHW, RunSparseConv2d, def);

}  // namespace
}  // namespace paddle::lite
