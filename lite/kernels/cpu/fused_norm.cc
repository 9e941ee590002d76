#include "lite/kernels/cpu/fused_norm.h"

#include <cmath>

#include "lite/kernels/cpu/math/parallel_range.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void RequireVector(const InferContext& c, const char* slot, int64_t count) {
  if (!c.HasInput(slot)) return;
  const TensorMeta& input = c.Input(slot);
  c.Require(input.dims.production() == count, "input ", slot, " has shape ", input.dims,
            ", expected ", count, " elements for x of shape ", c.Dims("x"));
  if (input.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(input.dtype), ", expected float32"));
}

}  // namespace

int BeginNormAxis(const InferContext& c) {
  const DDim& x = c.Dims("x");
  const int given = c.Attr<int32_t>("begin_norm_axis");
  const int begin = given == -1 ? x.size() - 1 : given;
  c.Require(begin >= 0 && begin < x.size(), "attribute begin_norm_axis is ", given,
            ", expected an axis of x, which has shape ", x);
  return begin;
}

void RequireNormInputs(const InferContext& c, int64_t cols) {
  const TensorMeta& x = c.Input("x");
  if (x.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input x is ", Name(x.dtype), ", expected float32"));
  for (const char* slot : {"bias", "norm_weight", "norm_bias"}) RequireVector(c, slot, cols);
  RequireVector(c, "residual", x.dims.production());
  RequireEpsilon(c);
}

void RequireNoQuantizing(const InferContext& c) {
  const float scale = c.Attr<float>("quant_scale");
  if (scale > 0)
    throw LiteError(StrCat("attribute quant_scale is ", scale,
                           ": an int8 output is not supported, expected -1"));
}

const float* AddBiasAndResidual(const KernelContext& c, int64_t cols, float alpha,
                                std::vector<float>* room) {
  const Tensor& x = c.Input("x");
  const float *from = x.data<float>(), *bias = DataOrNull<float>(c, "bias");
  const float* residual = DataOrNull<float>(c, "residual");
  if (bias == nullptr && residual == nullptr) return from;
  room->resize(static_cast<size_t>(x.numel()));
  float* to = room->data();
  math::ParallelRange(c.threads(), cols == 0 ? 0 : x.numel() / cols,
                      math::kElementGrain / (cols + 1) + 1, [&](int64_t begin, int64_t end) {
                        for (int64_t r = begin; r < end; ++r)
                          for (int64_t j = 0; j < cols; ++j) {
                            const int64_t i = r * cols + j;
                            to[i] = from[i] + (bias == nullptr ? 0 : bias[j]) +
                                    (residual == nullptr ? 0 : alpha * residual[i]);
                          }
                      });
  return to;
}

void RmsNorm(int64_t rows, int64_t cols, const float* x, const float* weight, const float* bias,
             float epsilon, float* y, float* inverse, int threads) {
  math::ParallelRange(
      threads, rows, math::kElementGrain / (cols + 1) + 1, [&](int64_t begin, int64_t end) {
        for (int64_t r = begin; r < end; ++r) {
          const float* from = x + r * cols;
          float* to = y + r * cols;
          double squares = 0;
          for (int64_t j = 0; j < cols; ++j)
            squares += static_cast<double>(from[j]) * static_cast<double>(from[j]);
          const double mean = cols == 0 ? 0 : squares / static_cast<double>(cols);
          const auto factor =
              static_cast<float>(1 / std::sqrt(mean + static_cast<double>(epsilon)));
          for (int64_t j = 0; j < cols; ++j) {
            const float scaled = from[j] * factor * (weight == nullptr ? 1 : weight[j]);
            to[j] = bias == nullptr ? scaled : scaled + bias[j];
          }
          if (inverse != nullptr) inverse[r] = factor;
        }
      });
}

}  // namespace paddle::lite
