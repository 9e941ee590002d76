#include "lite/kernels/cpu/math/softmax.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/activation/softmax.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"
#include "lite/kernels/cpu/random/random.h"
#include "lite/kernels/cpu/reduce/lines.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

// X as [outer, axis, inner] in its memory order.
struct SoftmaxSlices {
  int64_t outer = 1, axis = 1, inner = 1;
};

SoftmaxSlices SoftmaxSlicesOf(const Tensor& x, int64_t axis_attr) {
  const DDim& dims = x.dims();
  SoftmaxSlices s;
  if (dims.empty()) return s;
  int axis = CanonicalAxis(axis_attr, dims.size(), "attribute axis");
  DDim memory = dims;
  if (x.layout() == DataLayoutType::kNHWC && dims.size() == 4) {
    static constexpr int kPlace[] = {0, 3, 1, 2};
    memory = {dims[0], dims[2], dims[3], dims[1]};
    axis = kPlace[axis];
  }
  s.outer = memory.Count(0, axis);
  s.axis = memory[axis];
  s.inner = memory.Count(axis + 1, memory.size());
  return s;
}

void SoftmaxDouble(const SoftmaxSlices& s, const double* x, double* y, bool log) {
  for (int64_t i = 0; i < s.outer * s.inner; ++i) {
    const int64_t at = i / s.inner * s.axis * s.inner + i % s.inner;
    double max = x[at], sum = 0;
    for (int64_t a = 1; a < s.axis; ++a) max = std::max(max, x[at + a * s.inner]);
    for (int64_t a = 0; a < s.axis; ++a) sum += std::exp(x[at + a * s.inner] - max);
    for (int64_t a = 0; a < s.axis; ++a) {
      const double shifted = x[at + a * s.inner] - max;
      y[at + a * s.inner] =
          log ? std::max(shifted, -64.0) - std::log(sum) : std::exp(shifted) / sum;
    }
  }
}

}  // namespace

void InferSoftmax(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", expected float32 or float64"));
  if (!x.dims.empty()) CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "attribute axis");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunSoftmax(KernelContext& c, bool log) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  const SoftmaxSlices s = SoftmaxSlicesOf(x, c.Attr<int>("axis"));
  if (x.dtype() == DataType::kFP64) {
    auto* y = out.mutable_data<double>();
    if (x.numel() > 0) SoftmaxDouble(s, x.data<double>(), y, log);
    return;
  }
  math::Softmax(s.outer, s.axis, s.inner, x.data<float>(), out.mutable_data<float>(), log,
                c.threads());
}

namespace {

void RunSoftmaxOp(KernelContext& c) { RunSoftmax(c, false); }

REGISTER_LITE_OP(softmax).Input("X").Output("Out").Attr<int>("axis", -1).InferShape(InferSoftmax);
REGISTER_LITE_FUNCTION(softmax, kHost, kAny, kAny, RunSoftmaxOp, def);

void RunLogSoftmax(KernelContext& c) { RunSoftmax(c, true); }

REGISTER_LITE_OP(log_softmax)
    .Input("X")
    .Output("Out")
    .Attr<int>("axis", -1)
    .InferShape(InferSoftmax);
REGISTER_LITE_FUNCTION(log_softmax, kHost, kAny, kAny, RunLogSoftmax, def);

// softmax((X + noise) / temperature) along an axis, the noise being drawn from Gumbel's
// distribution in every run; `hard` gives 1 for the largest and 0 for the others.
void InferGumbelSoftmax(InferContext& c) {
  RequireFloating(c, "X");
  const float temperature = FiniteAttr(c, "temperature");
  c.Require(temperature > 0, "attribute temperature is ", temperature,
            ", expected a positive number");
  AxisOrFirst(c.Attr<int32_t>("axis"), c.Dims("X"));
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

double DrawGumbel(RandomEngine& engine) {
  return -std::log(-std::log1p(-std::max(DrawUniform<double>(engine), 1e-300)));
}

template <typename T>
void RunGumbelSoftmaxAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Lines lines = LinesAlong(input.dims(), AxisOrFirst(c.Attr<int32_t>("axis"), input.dims()));
  const double temperature = c.Attr<float>("temperature");
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  RandomEngine engine = MakeEngine(0);
  std::vector<double> line(static_cast<size_t>(lines.size));
  for (int64_t i = 0; lines.size > 0 && i < lines.count(); ++i) {
    const int64_t begin = lines.Begin(i, lines.size);
    for (int64_t k = 0; k < lines.size; ++k)
      line[static_cast<size_t>(k)] =
          (static_cast<double>(x[begin + k * lines.inner]) + DrawGumbel(engine)) / temperature;
    const auto largest = std::max_element(line.begin(), line.end());
    if (c.Attr<bool>("hard")) {
      for (int64_t k = 0; k < lines.size; ++k) out[begin + k * lines.inner] = 0;
      out[begin + (largest - line.begin()) * lines.inner] = 1;
      continue;
    }
    const double highest = *largest;
    double sum = 0;
    for (double& value : line) sum += value = std::exp(value - highest);
    for (int64_t k = 0; k < lines.size; ++k)
      out[begin + k * lines.inner] = static_cast<T>(line[static_cast<size_t>(k)] / sum);
  }
}

void RunGumbelSoftmax(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunGumbelSoftmaxAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(gumbel_softmax)
    .Input("X")
    .Output("Out")
    .Attr<float>("temperature", 1.0f)
    .Attr<bool>("hard", false)
    .Attr<int32_t>("axis", -1)
    .InferShape(InferGumbelSoftmax)
    .Random();
REGISTER_LITE_FUNCTION(gumbel_softmax, kHost, kAny, kNCHW, RunGumbelSoftmax, def);

// fused_softmax_mask: softmax(X + Mask), Mask of one head for all. Its upper triangle form hides
// the keys behind each query instead.
void InferFusedSoftmaxMask(InferContext& c) {
  RequireFloat(c, "X");
  RequireFloat(c, "Mask");
  const DDim &x = c.Dims("X"), &mask = c.Dims("Mask");
  c.Require(x.size() == 4, "input X has shape ", x, ", expected [batch, heads, queries, keys]");
  c.Require(mask == (DDim{x[0], 1, x[2], x[3]}), "input Mask has shape ", mask, ", expected ",
            DDim{x[0], 1, x[2], x[3]}, " for X of shape ", x);
  c.SetOutput("Out", x, DataType::kFP32);
}

void RunFusedSoftmaxMask(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t heads = dims[1], queries = dims[2], keys = dims[3];
  const float *x = c.Input("X").data<float>(), *mask = c.Input("Mask").data<float>();
  float* out = c.Output("Out").mutable_data<float>();
  if (keys == 0) return;
  math::ParallelRange(
      c.threads(), dims.Count(0, 3), math::kElementGrain / (8 * keys) + 1,
      [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const float* from = x + i * keys;
          const float* hide = mask + (i / (heads * queries) * queries + i % queries) * keys;
          float* to = out + i * keys;
          std::transform(from, from + keys, hide, to, [](float a, float b) { return a + b; });
          math::Softmax(1, keys, 1, to, to, /*log=*/false, 1);
        }
      });
}

REGISTER_LITE_OP(fused_softmax_mask)
    .Input("X")
    .Input("Mask")
    .Output("Out")
    .InferShape(InferFusedSoftmaxMask);
REGISTER_LITE_FUNCTION(fused_softmax_mask, kHost, kFloat, kNCHW, RunFusedSoftmaxMask, def);

void InferTriangle(InferContext& c) {
  RequireFloat(c, "X");
  const DDim& x = c.Dims("X");
  c.Require(x.size() == 4 && x[2] == x[3], "input X has shape ", x,
            ", expected [batch, heads, n, n]");
  c.SetOutput("Out", x, DataType::kFP32);
}

void RunTriangle(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t n = dims[3];
  const float* x = c.Input("X").data<float>();
  float* out = c.Output("Out").mutable_data<float>();
  if (n == 0) return;
  math::ParallelRange(c.threads(), dims.Count(0, 3), math::kElementGrain / (8 * n) + 1,
                      [&](int64_t begin, int64_t end) {
                        for (int64_t i = begin; i < end; ++i) {
                          const int64_t seen = i % n + 1;
                          math::Softmax(1, seen, 1, x + i * n, out + i * n, /*log=*/false, 1);
                          std::fill(out + i * n + seen, out + (i + 1) * n, 0.0f);
                        }
                      });
}

REGISTER_LITE_OP(fused_softmax_mask_upper_triangle)
    .Input("X")
    .Output("Out")
    .InferShape(InferTriangle);
REGISTER_LITE_FUNCTION(fused_softmax_mask_upper_triangle, kHost, kFloat, kNCHW, RunTriangle, def);

}  // namespace
}  // namespace paddle::lite
