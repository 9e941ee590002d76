#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/pooling/window.h"

namespace paddle::lite {
namespace {

// batch_norm and sync_batch_norm. At inference whatever `is_test` says: normalises with the given
// Mean and Variance.
Images ImagesOfX(const OpLite& op, const DDim& dims, DataLayoutType layout) {
  return ImagesOf(dims, layout, op.Attr<std::string>("data_layout"), 2);
}

void InferBatchNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  const int64_t channels = ImagesOfX(c.op(), x.dims, DataLayoutType::kNCHW).c;
  for (const char* slot : {"Scale", "Bias", "Mean", "Variance"}) RequireElements(c, slot, channels);
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  for (const char* slot : {"MeanOut", "VarianceOut", "SavedMean", "SavedVariance"})
    c.SetOutput(slot, DDim{channels}, x.dtype);
  c.SetOutput("ReserveSpace", DDim{0}, x.dtype);
}

template <typename T>
void CopyTo(KernelContext& c, const char* slot, const T* from, int64_t count) {
  T* to = OutputOrNull<T>(c, slot);
  if (to != nullptr && to != from) std::copy(from, from + count, to);
}

// Per channel y = x * a + b.
template <typename T>
void RunBatchNormOp(KernelContext& c, const Images& images) {
  const auto* mean = c.Input("Mean").data<T>();
  const auto* variance = c.Input("Variance").data<T>();
  const T* scale = DataOrNull<T>(c, "Scale");
  const T* bias = DataOrNull<T>(c, "Bias");
  const double epsilon = c.Attr<float>("epsilon");
  std::vector<T> a(static_cast<size_t>(images.c)), b(a), deviation(a);
  for (size_t i = 0; i < a.size(); ++i) {
    const double inverse = 1.0 / std::sqrt(static_cast<double>(variance[i]) + epsilon);
    const double factor = inverse * (scale ? static_cast<double>(scale[i]) : 1.0);
    deviation[i] = static_cast<T>(inverse);
    a[i] = static_cast<T>(factor);
    b[i] = static_cast<T>((bias ? static_cast<double>(bias[i]) : 0.0) -
                          static_cast<double>(mean[i]) * factor);
  }
  const auto* x = c.Input("X").data<T>();
  auto* y = c.Output("Y").mutable_data<T>();
  if constexpr (std::is_same_v<T, float>) {
    AffineChannels(images, x, y, nullptr, a.data(), b.data(), 0, c.threads());
  } else {
    for (int64_t i = 0; i < images.count(); ++i) {
      const auto channel =
          static_cast<size_t>(images.channels_last ? i % images.c : i / images.hw % images.c);
      y[i] = x[i] * a[channel] + b[channel];
    }
  }
  CopyTo(c, "MeanOut", mean, images.c);
  CopyTo(c, "VarianceOut", variance, images.c);
  CopyTo(c, "SavedMean", mean, images.c);
  CopyTo<T>(c, "SavedVariance", deviation.data(), images.c);
  if (Tensor* reserve = c.OutputOrNull("ReserveSpace")) reserve->mutable_data<T>();
}

void RunBatchNorm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  c.Output("Y").set_layout(x.layout());
  Images images = ImagesOfX(c.op(), x.dims(), x.layout());
  if (images.rows > 1) {  // every row is as good as an image
    images.n *= images.rows;
    images.hw /= images.rows;
  }
  if (x.dtype() == DataType::kFP64) return RunBatchNormOp<double>(c, images);
  RunBatchNormOp<float>(c, images);
}

OpInfo& Declare(OpInfo& info) {
  return info.Input("X")
      .OptionalInput("Scale")
      .OptionalInput("Bias")
      .Input("Mean")
      .Input("Variance")
      .OptionalInput("MomentumTensor")
      .Output("Y")
      .OptionalOutput("MeanOut")
      .OptionalOutput("VarianceOut")
      .OptionalOutput("SavedMean")
      .OptionalOutput("SavedVariance")
      .OptionalOutput("ReserveSpace")
      .Attr<float>("epsilon", 1e-5f)
      .Attr<std::string>("data_layout", "NCHW")
      .InferShape(InferBatchNorm);
}

REGISTER_LITE_OP(batch_norm);
[[maybe_unused]] OpInfo& batch_norm_declared = Declare(batch_norm_op_info);
REGISTER_LITE_FUNCTION(batch_norm, kHost, kAny, kNCHW, RunBatchNorm, def);
REGISTER_LITE_FUNCTION(batch_norm, kHost, kFloat, kNHWC, RunBatchNorm, def);

// Of training on several devices; at inference there is nothing to synchronise.
REGISTER_LITE_OP(sync_batch_norm);
[[maybe_unused]] OpInfo& sync_batch_norm_declared = Declare(sync_batch_norm_op_info);
REGISTER_LITE_FUNCTION(sync_batch_norm, kHost, kAny, kNCHW, RunBatchNorm, def);
REGISTER_LITE_FUNCTION(sync_batch_norm, kHost, kFloat, kNHWC, RunBatchNorm, def);

void InferAffineChannel(InferContext& c) {
  RequireChannelsFirst(c.op(), "data_layout");
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "input X has shape ", x.dims, ", expected rank 2 or more");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  for (const char* slot : {"Scale", "Bias"}) {
    c.Require(c.Dims(slot).production() == x.dims[1], "input ", slot, " has shape ", c.Dims(slot),
              ", expected one element for each of ", x.dims[1], " channels");
    if (c.Input(slot).dtype != x.dtype)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", but X is ", Name(x.dtype)));
  }
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void Scale(KernelContext& c, int64_t outer, int64_t channels, int64_t inner) {
  const T *x = c.Input("X").data<T>(), *scale = c.Input("Scale").data<T>();
  const T* bias = c.Input("Bias").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t k = 0; k < channels; ++k)
      for (int64_t j = 0; j < inner; ++j) *out++ = *x++ * scale[k] + bias[k];
}

void RunAffineChannel(KernelContext& c) {
  const DDim& x = c.Input("X").dims();
  const int64_t inner = x.Count(2, x.size());
  if (c.Input("X").dtype() == DataType::kFP64)
    Scale<double>(c, x[0], x[1], inner);
  else
    Scale<float>(c, x[0], x[1], inner);
}

void RunNhwc(KernelContext& c) {
  const DDim& x = c.Input("X").dims();
  Scale<float>(c, x[0] * x[2] * x[3], x[1], 1);
}

REGISTER_LITE_OP(affine_channel)
    .Input("X")
    .Input("Scale")
    .Input("Bias")
    .Output("Out")
    .Attr<std::string>("data_layout", "NCHW")
    .InferShape(InferAffineChannel);
REGISTER_LITE_FUNCTION(affine_channel, kHost, kAny, kNCHW, RunAffineChannel, def);
REGISTER_LITE_FUNCTION(affine_channel, kHost, kFloat, kNHWC, RunNhwc, def);

// At inference: each column by the mean and the scale of all rows seen in training.
void InferDataNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  c.Require(x.dims.size() == 2, "input X has shape ", x.dims, ", expected [rows, columns]");
  for (const char* slot : {"BatchSize", "BatchSum", "BatchSquareSum", "scale_w", "bias"})
    RequireElements(c, slot, x.dims[1]);
  const int64_t slot_dim = c.Attr<int32_t>("slot_dim");
  c.Require(slot_dim <= 0 || x.dims[1] % slot_dim == 0, "attribute slot_dim is ", slot_dim,
            ", expected a divisor of the columns of X of shape ", x.dims);
  const bool shifts = c.Attr<bool>("enable_scale_and_shift");
  c.Require(!shifts || (c.HasInput("scale_w") && c.HasInput("bias")),
            "attribute enable_scale_and_shift is true, expected inputs scale_w and bias");
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  for (const char* slot : {"Means", "Scales"}) c.SetOutput(slot, {x.dims[1]}, x.dtype);
}

template <typename T>
void DataNorm(KernelContext& c) {
  const DDim& d = c.Input("X").dims();
  const T *x = c.Input("X").data<T>(), *size = c.Input("BatchSize").data<T>();
  const T *sum = c.Input("BatchSum").data<T>(), *squares = c.Input("BatchSquareSum").data<T>();
  const bool shifts = c.Attr<bool>("enable_scale_and_shift");
  const T* weight = shifts ? c.Input("scale_w").data<T>() : nullptr;
  const T* bias = shifts ? c.Input("bias").data<T>() : nullptr;
  std::vector<T> means(static_cast<size_t>(d[1])), scales(means);
  for (size_t i = 0; i < means.size(); ++i) {
    means[i] = sum[i] / size[i];
    scales[i] = std::sqrt(size[i] / squares[i]);
  }
  const int64_t slot_dim = shifts ? 0 : c.Attr<int32_t>("slot_dim");
  T* y = c.Output("Y").mutable_data<T>();
  for (int64_t row = 0; row < d[0]; ++row, x += d[1], y += d[1])
    for (int64_t i = 0; i < d[1]; ++i) {
      const auto at = static_cast<size_t>(i);
      y[i] = (x[i] - means[at]) * scales[at];
      if (shifts) y[i] = y[i] * weight[i] + bias[i];
      // A slot that was never shown, says its first column, counts nothing.
      if (slot_dim > 0 && std::abs(x[i / slot_dim * slot_dim]) < T(1e-7)) y[i] = 0;
    }
  if (T* to = OutputOrNull<T>(c, "Means")) std::copy(means.begin(), means.end(), to);
  if (T* to = OutputOrNull<T>(c, "Scales")) std::copy(scales.begin(), scales.end(), to);
}

void RunDataNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { DataNorm<decltype(type)>(c); });
}

REGISTER_LITE_OP(data_norm)
    .Input("X")
    .Input("BatchSize")
    .Input("BatchSum")
    .Input("BatchSquareSum")
    .OptionalInput("scale_w")
    .OptionalInput("bias")
    .Output("Y")
    .OptionalOutput("Means")
    .OptionalOutput("Scales")
    .Attr<int32_t>("slot_dim", -1)
    .Attr<bool>("enable_scale_and_shift", false)
    .InferShape(InferDataNorm);
REGISTER_LITE_FUNCTION(data_norm, kHost, kAny, kNCHW, RunDataNorm, def);

}  // namespace
}  // namespace paddle::lite
