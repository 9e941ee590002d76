#include <cmath>
#include <vector>

#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/normalisation/normalize.h"

namespace paddle::lite {
namespace {

// Out = X / MidOut^beta with MidOut = k + alpha * the sum of the squares of `n` channels, (n - 1) /
// 2 of them before.
void InferLrn(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() == 4, "X has shape ", x.dims, ", expected four dimensions");
  RequireFloating(c, "X");
  const int32_t n = c.Attr<int32_t>("n");
  c.Require(n >= 1, "attribute n is ", n, ", expected a number of channels from 1");
  const auto& format = c.Attr<std::string>("data_format");
  c.Require(format == "NCHW" || format == "AnyLayout", "attribute data_format is ", format,
            ", expected NCHW; export the model with it");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("MidOut", x.dims, x.dtype);
}

// base^-beta; the usual exponent has roots alone.
template <typename T>
T Damping(double base, double beta) {
  if (beta == 0.75) return static_cast<T>(1 / (std::sqrt(base) * std::sqrt(std::sqrt(base))));
  return std::pow(static_cast<T>(base), static_cast<T>(-beta));
}

// Pixels [begin, end) of one image: `channels` planes of `pixels`.
template <typename T>
void RunImage(const KernelContext& c, const T* x, T* out, T* mid, int64_t channels, int64_t begin,
              int64_t end, int64_t pixels) {
  const int64_t n = c.Attr<int32_t>("n"), before = (n - 1) / 2;
  const double k = c.Attr<float>("k"), alpha = c.Attr<float>("alpha");
  const double beta = c.Attr<float>("beta");
  constexpr int64_t kTogether = 256;
  double sums[kTogether];
  for (int64_t i = 0; i < channels; ++i)
    for (int64_t first = begin; first < end; first += kTogether) {
      const int64_t count = std::min(kTogether, end - first);
      std::fill_n(sums, count, 0.0);
      const int64_t last = std::min(i - before + n, channels);
      for (int64_t j = std::max<int64_t>(i - before, 0); j < last; ++j) {
        const T* const row = x + j * pixels + first;
        for (int64_t p = 0; p < count; ++p)
          sums[p] += static_cast<double>(row[p]) * static_cast<double>(row[p]);
      }
      for (int64_t p = 0, at = i * pixels + first; p < count; ++p, ++at) {
        const double base = k + alpha * sums[p];
        if (mid != nullptr) mid[at] = static_cast<T>(base);
        out[at] = x[at] * Damping<T>(base, beta);
      }
    }
}

template <typename T>
void RunLrnAs(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const int64_t channels = dims[1], pixels = dims[2] * dims[3], image = channels * pixels;
  const T* x = c.Input("X").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  T* mid = OutputOrNull<T>(c, "MidOut");
  for (int64_t i = 0; i < dims[0]; ++i)
    math::ParallelRange(c.threads(), pixels, math::kElementGrain / (channels + 1) + 1,
                        [&](int64_t begin, int64_t end) {
                          RunImage(c, x + i * image, out + i * image,
                                   mid == nullptr ? nullptr : mid + i * image, channels, begin, end,
                                   pixels);
                        });
}

void RunLrn(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) { RunLrnAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(lrn)
    .Input("X")
    .Output("Out")
    .OptionalOutput("MidOut")
    .Attr<int32_t>("n", 5)
    .Attr<float>("k", 2.0f)
    .Attr<float>("alpha", 1e-4f)
    .Attr<float>("beta", 0.75f)
    .Attr<std::string>("data_format", "AnyLayout")
    .InferShape(InferLrn);
REGISTER_LITE_FUNCTION(lrn, kHost, kAny, kNCHW, RunLrn, def);

// A weight over its largest singular value, as power iterations from U and V find it.
void InferSpectralNorm(InferContext& c) {
  const TensorMeta& weight = c.Input("Weight");
  c.Require(weight.dims.size() >= 2, "input Weight has shape ", weight.dims,
            ", expected at least two dimensions");
  const int dim = CanonicalAxis(c.Attr<int32_t>("dim"), weight.dims.size(), "dim");
  const int64_t height = weight.dims[dim];
  const int64_t width = weight.dims.Count(0, dim) * weight.dims.Count(dim + 1, weight.dims.size());
  c.Require(c.Dims("U").production() == height, "input U has shape ", c.Dims("U"), ", expected ",
            height, " elements for Weight of shape ", weight.dims);
  c.Require(c.Dims("V").production() == width, "input V has shape ", c.Dims("V"), ", expected ",
            width, " elements for Weight of shape ", weight.dims);
  const int64_t iterations = c.Attr<int32_t>("power_iters");
  c.Require(iterations >= 0 && iterations <= 65536, "attribute power_iters is ", iterations,
            ", expected 0 to 65536");
  for (const char* slot : {"Weight", "U", "V"})
    if (c.Input(slot).dtype != weight.dtype ||
        (weight.dtype != DataType::kFP32 && weight.dtype != DataType::kFP64))
      throw DataTypeError(StrCat("input ", slot, " is ", Name(c.Input(slot).dtype),
                                 ", expected float32 or float64 like Weight"));
  c.SetOutput("Out", weight.dims, weight.dtype);
}

// The weight as a matrix whose rows are the elements of `dim`.
template <typename T>
struct WeightMatrix {
  const T* data;
  int64_t outer, height, inner;

  // Calls fn(row, column, element).
  template <typename Fn>
  void Each(Fn fn) const {
    const T* at = data;
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t row = 0; row < height; ++row)
        for (int64_t i = 0; i < inner; ++i)
          fn(static_cast<size_t>(row), static_cast<size_t>(o * inner + i), *at++);
  }
};

template <typename T>
void Normalize(std::vector<T>* vector, T eps) {
  T sum = 0;
  for (const T value : *vector) sum += value * value;
  for (T& value : *vector) value /= std::sqrt(sum) + eps;
}

template <typename T>
void SpectralNorm(KernelContext& c) {
  const Tensor& weight = c.Input("Weight");
  const DDim& d = weight.dims();
  const int dim = CanonicalAxis(c.Attr<int32_t>("dim"), d.size(), "dim");
  const WeightMatrix<T> w{weight.data<T>(), d.Count(0, dim), d[dim], d.Count(dim + 1, d.size())};
  const T *u0 = c.Input("U").data<T>(), *v0 = c.Input("V").data<T>();
  std::vector<T> u(u0, u0 + w.height), v(v0, v0 + w.outer * w.inner);
  const T eps = static_cast<T>(c.Attr<float>("eps"));
  for (int i = 0; i < c.Attr<int32_t>("power_iters"); ++i) {
    std::fill(v.begin(), v.end(), T{0});
    w.Each([&](size_t row, size_t column, T value) { v[column] += value * u[row]; });
    Normalize(&v, eps);
    std::fill(u.begin(), u.end(), T{0});
    w.Each([&](size_t row, size_t column, T value) { u[row] += value * v[column]; });
    Normalize(&u, eps);
  }
  T sigma = 0;
  w.Each([&](size_t row, size_t column, T value) { sigma += u[row] * value * v[column]; });
  T* out = c.Output("Out").mutable_data<T>();
  for (int64_t i = 0; i < weight.numel(); ++i) out[i] = w.data[i] / sigma;
}

void RunSpectralNorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Weight").dtype(),
                          [&](auto type) { SpectralNorm<decltype(type)>(c); });
}

REGISTER_LITE_OP(spectral_norm)
    .Input("Weight")
    .Input("U")
    .Input("V")
    .Output("Out")
    .Attr<int32_t>("dim", 0)
    .Attr<int32_t>("power_iters", 1)
    .Attr<float>("eps", 1e-12f)
    .InferShape(InferSpectralNorm);
REGISTER_LITE_FUNCTION(spectral_norm, kHost, kAny, kNCHW, RunSpectralNorm, def);

}  // namespace
}  // namespace paddle::lite
