// batch_norm and sync_batch_norm. At inference whatever `is_test` says: normalises with the given
// Mean and Variance.
#include <algorithm>

#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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

}  // namespace
}  // namespace paddle::lite
