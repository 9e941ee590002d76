// Fourier transforms of tensors: what fft_c2c, fft_r2c, fft_c2r and stft share.
#pragma once

#include <map>
#include <tuple>

#include "lite/kernels/cpu/math/fft.h"
#include "lite/kernels/cpu/reduce/lines.h"
#include "lite/kernels/cpu/spectral/complex.h"

namespace paddle::lite {

// The attribute `axes`, canonical; throws ShapeError where they repeat or X has no such axis, or
// nothing along it, or, with `required`, where there are none.
std::vector<int> FourierAxes(const OpLite& op, const DDim& x, bool required);

// What every result is multiplied by: `count` numbers were transformed. Throws LiteError for an
// unknown `normalization`.
double FourierScale(const OpLite& op, int64_t count);

// The transforms that a kernel has used, each by its length.
class FourierPlans {
 public:
  template <typename T>
  const math::Fft<T>& Of(int64_t n) {
    return Get(std::get<std::map<int64_t, math::Fft<T>>>(complex_), n);
  }
  template <typename T>
  const math::RealFft<T>& OfReal(int64_t n) {
    return Get(std::get<std::map<int64_t, math::RealFft<T>>>(real_), n);
  }

 private:
  template <typename Plan>
  static const Plan& Get(std::map<int64_t, Plan>& plans, int64_t n) {
    return plans.try_emplace(n, n).first->second;
  }

  std::tuple<std::map<int64_t, math::Fft<float>>, std::map<int64_t, math::Fft<double>>> complex_;
  std::tuple<std::map<int64_t, math::RealFft<float>>, std::map<int64_t, math::RealFft<double>>>
      real_;
};

// A kernel that runs as Derived::RunAs<T> in the type of X's real numbers.
template <typename Derived>
class FourierKernel : public KernelBase {
 public:
  void Run(KernelContext& c) override {
    ForParts(c.Input("X").dtype(),
             [&](auto zero) { static_cast<Derived*>(this)->template RunAs<decltype(zero)>(c); });
  }

 protected:
  FourierPlans plans_;
};

// FourierScale of as many numbers as `dims` has along the axes.
template <typename T>
T ScaleAlong(const OpLite& op, const DDim& dims, const std::vector<int>& axes) {
  int64_t count = 1;
  for (const int axis : axes) count *= dims[axis];
  return static_cast<T>(FourierScale(op, count));
}

// Transforms along one axis of a row-major tensor of `dims`, multiplied by `scale`. `from` may be
// `to`.
template <typename T>
void TransformAlong(int threads, const math::Fft<T>& plan, const DDim& dims, int axis, bool forward,
                    T scale, const std::complex<T>* from, std::complex<T>* to) {
  using C = std::complex<T>;
  const Lines lines = LinesAlong(dims, axis);
  ParallelLines(threads, lines, [&](int64_t begin, int64_t end) {
    std::vector<C> line(static_cast<size_t>(plan.size() + plan.scratch()));
    const T sign = forward ? scale : -scale;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t at = lines.Begin(i, lines.size);
      for (int64_t k = 0; k < lines.size; ++k) {
        const C value = from[at + k * lines.inner];
        line[static_cast<size_t>(k)] = forward ? value : std::conj(value);
      }
      plan.Run(line.data(), line.data() + plan.size());
      for (int64_t k = 0; k < lines.size; ++k) {
        const C value = line[static_cast<size_t>(k)];
        to[at + k * lines.inner] = {value.real() * scale, value.imag() * sign};
      }
    }
  });
}

// Real numbers x along one axis to their first n / 2 + 1 results, or to all n where `whole`.
template <typename T>
void TransformReal(int threads, const math::RealFft<T>& plan, const DDim& dims, int axis,
                   bool forward, bool whole, T scale, const T* from, std::complex<T>* to) {
  using C = std::complex<T>;
  const Lines lines = LinesAlong(dims, axis);
  const int64_t n = lines.size, bins = plan.bins(), kept = whole ? n : bins;
  ParallelLines(threads, lines, [&](int64_t begin, int64_t end) {
    std::vector<T> line(static_cast<size_t>(n));
    std::vector<C> result(static_cast<size_t>(bins + plan.scratch()));
    const T sign = forward ? scale : -scale;
    for (int64_t i = begin; i < end; ++i) {
      const T* x = from + lines.Begin(i, n);
      for (int64_t k = 0; k < n; ++k) line[static_cast<size_t>(k)] = x[k * lines.inner];
      plan.Forward(line.data(), result.data(), result.data() + bins);
      C* y = to + lines.Begin(i, kept);
      for (int64_t k = 0; k < bins; ++k) {
        const C value = result[static_cast<size_t>(k)];
        y[k * lines.inner] = {value.real() * scale, value.imag() * sign};
      }
      for (int64_t k = bins; k < kept; ++k)
        y[k * lines.inner] = std::conj(y[(n - k) * lines.inner]);
    }
  });
}

// Transforms along all axes but the last. `from` may be `to`; with one axis nothing is written.
template <typename T>
void TransformAllButLast(int threads, FourierPlans* plans, const DDim& dims,
                         const std::vector<int>& axes, bool forward, const std::complex<T>* from,
                         std::complex<T>* to) {
  for (size_t i = 0; i + 1 < axes.size(); ++i) {
    TransformAlong(threads, plans->Of<T>(dims[axes[i]]), dims, axes[i], forward, T(1), from, to);
    from = to;
  }
}

}  // namespace paddle::lite
