// At inference: each column by the mean and the scale of all rows seen in training.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

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
