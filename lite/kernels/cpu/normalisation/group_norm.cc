#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

void InferGroupNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  const Images images =
      ImagesOf(x.dims, DataLayoutType::kNCHW, c.Attr<std::string>("data_layout"), 2);
  const int groups = c.Attr<int>("groups");
  c.Require(groups > 0 && images.c % groups == 0, "attribute groups is ", groups,
            ", expected a divisor of the ", images.c, " channels of X of shape ", x.dims);
  RequireElements(c, "Scale", images.c);
  RequireElements(c, "Bias", images.c);
  const DDim moments{images.n, groups};
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  c.SetOutput("Mean", moments, x.dtype);
  c.SetOutput("Variance", moments, x.dtype);
}

void RunGroupNormOp(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Images images = ImagesOf(x.dims(), x.layout(), c.Attr<std::string>("data_layout"), 2);
  RunGroupNorm(c, images, c.Attr<int>("groups"), "Mean", "Variance", false);
}

REGISTER_LITE_OP(group_norm)
    .Input("X")
    .OptionalInput("Scale")
    .OptionalInput("Bias")
    .Output("Y")
    .OptionalOutput("Mean")
    .OptionalOutput("Variance")
    .Attr<float>("epsilon", 1e-5f)
    .RequiredAttr<int>("groups")
    .Attr<std::string>("data_layout", "NCHW")
    .InferShape(InferGroupNorm);
REGISTER_LITE_FUNCTION(group_norm, kHost, kAny, kNCHW, RunGroupNormOp, def);
REGISTER_LITE_FUNCTION(group_norm, kHost, kFloat, kNHWC, RunGroupNormOp, def);

// group_norm of x + residual, then silu where attribute activation says so.
void RequireLike(const InferContext& c, const char* slot, const DDim& dims) {
  if (!c.HasInput(slot)) return;
  c.Require(c.Dims(slot) == dims, "input ", slot, " has shape ", c.Dims(slot), ", expected ", dims);
  if (c.Input(slot).dtype != DataType::kFP32)
    throw DataTypeError(
        StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", expected float32"));
}

void InferAddGroupNormSilu(InferContext& c) {
  const TensorMeta& x = c.Input("x");
  RequireLike(c, "x", x.dims);
  RequireLike(c, "residual", x.dims);
  const auto& activation = c.Attr<std::string>("activation");
  if (!activation.empty() && activation != "silu")
    throw LiteError(
        StrCat("attribute activation is \"", activation, "\", expected silu or nothing"));
  const Images images =
      ImagesOf(x.dims, DataLayoutType::kNCHW, c.Attr<std::string>("data_format"), 2);
  RequireLike(c, "scale", DDim{images.c});
  RequireLike(c, "bias", DDim{images.c});
  const int groups = c.Attr<int32_t>("groups");
  c.Require(groups > 0 && groups <= images.c && images.c % groups == 0, "attribute groups is ",
            groups, ", expected a divisor of the ", images.c, " channels of x of shape ", x.dims);
  RequireEpsilon(c);
  c.SetOutput("y", x.dims, x.dtype, x.lod);
  c.SetOutput("residual_out", x.dims, x.dtype);
  c.SetOutput("mean", DDim{images.n, groups}, x.dtype);
  c.SetOutput("variance", DDim{images.n, groups}, x.dtype);
}

struct Moments {
  double mean = 0, variance = 0;
};

template <typename Fn>
Moments MomentsOf(int64_t count, Fn at) {
  Moments m;
  const auto n = static_cast<double>(count);
  for (int64_t i = 0; i < count; ++i) m.mean += at(i) / n;
  for (int64_t i = 0; i < count; ++i) m.variance += (at(i) - m.mean) * (at(i) - m.mean) / n;
  return m;
}

void RunAddGroupNormSilu(KernelContext& c) {
  const Tensor& input = c.Input("x");
  const Images images =
      ImagesOf(input.dims(), DataLayoutType::kNCHW, c.Attr<std::string>("data_format"), 2);
  const int64_t groups = c.Attr<int32_t>("groups"), width = images.c / groups;
  const float *x = input.data<float>(), *residual = DataOrNull<float>(c, "residual");
  std::vector<float> room(residual == nullptr ? 0 : static_cast<size_t>(input.numel()));
  if (residual != nullptr) {
    for (size_t i = 0; i < room.size(); ++i) room[i] = x[i] + residual[i];
    x = room.data();
  }
  if (float* sum = OutputOrNull<float>(c, "residual_out")) std::copy(x, x + input.numel(), sum);
  const float *scale = DataOrNull<float>(c, "scale"), *bias = DataOrNull<float>(c, "bias");
  float* y = c.Output("y").mutable_data<float>();
  float *mean = OutputOrNull<float>(c, "mean"), *variance = OutputOrNull<float>(c, "variance");
  const bool silu = !c.Attr<std::string>("activation").empty();
  const double epsilon = c.Attr<float>("epsilon");
  const int64_t count = width * images.hw;
  math::ParallelRange(
      c.threads(), images.n * groups, math::kElementGrain / (4 * count + 1) + 1,
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const int64_t first = i % groups * width, image = i / groups * images.c * images.hw;
          const auto place = [&](int64_t k) {
            const int64_t channel = first + (images.channels_last ? k % width : k / images.hw);
            const int64_t pixel = images.channels_last ? k / width : k % images.hw;
            return image + (images.channels_last ? pixel * images.c + channel
                                                 : channel * images.hw + pixel);
          };
          const Moments m =
              MomentsOf(count, [&](int64_t k) { return static_cast<double>(x[place(k)]); });
          const double factor = 1 / std::sqrt(m.variance + epsilon);
          for (int64_t k = 0; k < count; ++k) {
            const int64_t at = place(k);
            const int64_t channel = first + (images.channels_last ? k % width : k / images.hw);
            auto value = static_cast<float>((x[at] - m.mean) * factor);
            if (scale != nullptr) value *= scale[channel];
            if (bias != nullptr) value += bias[channel];
            y[at] = silu ? value / (1 + std::exp(-value)) : value;
          }
          if (mean != nullptr) mean[i] = static_cast<float>(m.mean);
          if (variance != nullptr) variance[i] = static_cast<float>(m.variance);
        }
      });
}

REGISTER_LITE_OP(add_group_norm_silu)
    .Input("x")
    .OptionalInput("residual")
    .OptionalInput("scale")
    .OptionalInput("bias")
    .Output("y")
    .OptionalOutput("residual_out")
    .OptionalOutput("mean")
    .OptionalOutput("variance")
    .Attr<float>("epsilon", 1e-5f)
    .RequiredAttr<int32_t>("groups")
    .Attr<std::string>("data_format", "NCHW")
    .Attr<std::string>("activation", "")
    .InferShape(InferAddGroupNormSilu);
REGISTER_LITE_FUNCTION(add_group_norm_silu, kHost, kFloat, kNCHW, RunAddGroupNormSilu, def);

}  // namespace
}  // namespace paddle::lite
