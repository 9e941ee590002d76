#include "lite/kernels/cpu/math/fft.h"

#include <algorithm>
#include <cmath>

namespace paddle::lite::math {
namespace {

constexpr int64_t kLargestRadix = 61;

// Plain, where std::complex's own product looks for NaN.
template <typename T>
inline std::complex<T> Times(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// a * -j
template <typename T>
inline std::complex<T> Turned(std::complex<T> a) {
  return {a.imag(), -a.real()};
}

// exp(-2 pi j numerator / denominator), for a numerator below the denominator.
template <typename T>
std::complex<T> Root(int64_t numerator, int64_t denominator) {
  constexpr double kTurn = 6.283185307179586476925286766559;
  const double angle = kTurn * static_cast<double>(numerator) / static_cast<double>(denominator);
  return {static_cast<T>(std::cos(angle)), static_cast<T>(-std::sin(angle))};
}

template <typename T>
std::vector<std::complex<T>> Roots(int64_t count, int64_t n) {
  std::vector<std::complex<T>> roots(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) roots[static_cast<size_t>(i)] = Root<T>(i, n);
  return roots;
}

// Fours first; empty where a prime factor is too large.
std::vector<int64_t> Radices(int64_t n) {
  std::vector<int64_t> radices;
  for (const int64_t radix : {4, 2, 3, 5})
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  for (int64_t radix = 7; radix <= kLargestRadix; radix += 2)
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  if (n != 1) radices.clear();
  return radices;
}

// A length of at least `least` with factors 2 and 3 only.
int64_t SmoothSize(int64_t least) {
  int64_t size = 1;
  while (size < least) size *= 2;
  return size / 4 * 3 >= least ? size / 4 * 3 : size;
}

// One stage: `stride` interleaved sequences of length m * radix become radix times as many of
// length m (Stockham's order, which ends sorted).
template <typename T>
struct Stage {
  const std::complex<T>* roots;  // of the whole transform
  int64_t m, stride;
  const std::complex<T>* from;
  std::complex<T>* to;

  // exp(-2 pi j i k / (m * radix))
  std::complex<T> Twiddle(int64_t i, int64_t k) const { return roots[i * k * stride]; }

  void Run2() const {
    for (int64_t i = 0; i < m; ++i) {
      const auto w = Twiddle(i, 1);
      const auto *a = from + i * stride, *b = a + m * stride;
      auto *x = to + 2 * i * stride, *y = x + stride;
      for (int64_t q = 0; q < stride; ++q) {
        x[q] = a[q] + b[q];
        y[q] = Times(a[q] - b[q], w);
      }
    }
  }

  void Run3() const {
    const T half_root = static_cast<T>(0.86602540378443864676);
    for (int64_t i = 0; i < m; ++i) {
      const auto w1 = Twiddle(i, 1), w2 = Twiddle(i, 2);
      const auto *a = from + i * stride, *b = a + m * stride, *c = b + m * stride;
      auto *x = to + 3 * i * stride, *y = x + stride, *z = y + stride;
      for (int64_t q = 0; q < stride; ++q) {
        const auto sum = b[q] + c[q], turned = Turned(b[q] - c[q]) * half_root;
        const auto middle = a[q] - sum * T(0.5);
        x[q] = a[q] + sum;
        y[q] = Times(middle + turned, w1);
        z[q] = Times(middle - turned, w2);
      }
    }
  }

  void Run4() const {
    for (int64_t i = 0; i < m; ++i) {
      const auto w1 = Twiddle(i, 1), w2 = Twiddle(i, 2), w3 = Twiddle(i, 3);
      const auto *a = from + i * stride, *b = a + m * stride, *c = b + m * stride,
                 *d = c + m * stride;
      auto* x = to + 4 * i * stride;
      for (int64_t q = 0; q < stride; ++q) {
        const auto even = a[q] + c[q], odd = b[q] + d[q];
        const auto across = a[q] - c[q], turned = Turned(b[q] - d[q]);
        x[q] = even + odd;
        x[q + stride] = Times(across + turned, w1);
        x[q + 2 * stride] = Times(even - odd, w2);
        x[q + 3 * stride] = Times(across - turned, w3);
      }
    }
  }

  void Run5() const {
    const T cos1 = static_cast<T>(0.30901699437494742410),
            sin1 = static_cast<T>(0.95105651629515357212);
    const T cos2 = static_cast<T>(-0.80901699437494742410),
            sin2 = static_cast<T>(0.58778525229247312917);
    for (int64_t i = 0; i < m; ++i) {
      const auto w1 = Twiddle(i, 1), w2 = Twiddle(i, 2), w3 = Twiddle(i, 3), w4 = Twiddle(i, 4);
      const auto *a = from + i * stride, *b = a + m * stride, *c = b + m * stride,
                 *d = c + m * stride, *e = d + m * stride;
      auto* x = to + 5 * i * stride;
      for (int64_t q = 0; q < stride; ++q) {
        const auto outer = b[q] + e[q], inner = c[q] + d[q];
        const auto outer_turned = Turned(b[q] - e[q]), inner_turned = Turned(c[q] - d[q]);
        const auto near = a[q] + outer * cos1 + inner * cos2;
        const auto far = a[q] + outer * cos2 + inner * cos1;
        const auto near_turned = outer_turned * sin1 + inner_turned * sin2;
        const auto far_turned = outer_turned * sin2 - inner_turned * sin1;
        x[q] = a[q] + outer + inner;
        x[q + stride] = Times(near + near_turned, w1);
        x[q + 2 * stride] = Times(far + far_turned, w2);
        x[q + 3 * stride] = Times(far - far_turned, w3);
        x[q + 4 * stride] = Times(near - near_turned, w4);
      }
    }
  }

  void RunAny(int64_t radix) const {
    std::complex<T> own[kLargestRadix], sums[kLargestRadix];
    for (int64_t k = 0; k < radix; ++k) own[k] = Root<T>(k, radix);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t q = 0; q < stride; ++q) {
        const auto* a = from + i * stride + q;
        for (int64_t k = 0; k < radix; ++k) {
          std::complex<T> sum = a[0];
          for (int64_t r = 1, at = k; r < radix; ++r, at = (at + k) % radix)
            sum += Times(a[r * m * stride], own[at]);
          sums[k] = sum;
        }
        auto* x = to + radix * i * stride + q;
        for (int64_t k = 0; k < radix; ++k) x[k * stride] = Times(sums[k], Twiddle(i, k));
      }
  }
};

}  // namespace

template <typename T>
Fft<T>::Fft(int64_t n) : n_(n), radices_(Radices(n)) {
  if (n <= 1 || !radices_.empty()) {
    roots_ = Roots<T>(n, n);
    return;
  }
  // i * k = (i^2 + k^2 - (k - i)^2) / 2: a convolution with exp(+ pi j i^2 / n).
  int64_t square = 0;  // of i, modulo 2 n
  for (int64_t i = 0; i < n; ++i) {
    roots_.push_back(Root<T>(square, 2 * n));
    square = (square + 2 * i + 1) % (2 * n);
  }
  const int64_t size = SmoothSize(2 * n - 1);
  inner_ = std::make_unique<Fft>(size);
  spectrum_.resize(static_cast<size_t>(size));
  for (int64_t i = 0; i < n; ++i) {
    const Complex value = std::conj(roots_[static_cast<size_t>(i)]) / static_cast<T>(size);
    spectrum_[static_cast<size_t>(i)] = value;
    if (i > 0) spectrum_[static_cast<size_t>(size - i)] = value;
  }
  std::vector<Complex> scratch(static_cast<size_t>(inner_->scratch()));
  inner_->Run(spectrum_.data(), scratch.data());
}

template <typename T>
int64_t Fft<T>::scratch() const {
  return inner_ == nullptr ? n_ : inner_->size() + inner_->scratch();
}

template <typename T>
void Fft<T>::Run(Complex* data, Complex* scratch) const {
  if (n_ <= 1) return;
  if (inner_ == nullptr)
    RunStages(data, scratch);
  else
    RunConvolution(data, scratch);
}

template <typename T>
void Fft<T>::RunStages(Complex* data, Complex* scratch) const {
  Stage<T> stage{roots_.data(), n_, 1, data, scratch};
  for (const int64_t radix : radices_) {
    stage.m /= radix;
    switch (radix) {
      case 2:
        stage.Run2();
        break;
      case 3:
        stage.Run3();
        break;
      case 4:
        stage.Run4();
        break;
      case 5:
        stage.Run5();
        break;
      default:
        stage.RunAny(radix);
    }
    stage.stride *= radix;
    Complex* const written = stage.to;
    stage.to = written == data ? scratch : data;
    stage.from = written;
  }
  if (stage.from != data) std::copy_n(scratch, n_, data);
}

template <typename T>
void Fft<T>::RunConvolution(Complex* data, Complex* scratch) const {
  const int64_t size = inner_->size();
  Complex* const wide = scratch;
  for (int64_t i = 0; i < n_; ++i) wide[i] = Times(data[i], roots_[static_cast<size_t>(i)]);
  std::fill(wide + n_, wide + size, Complex());
  inner_->Run(wide, scratch + size);
  for (int64_t i = 0; i < size; ++i)
    wide[i] = std::conj(Times(wide[i], spectrum_[static_cast<size_t>(i)]));
  inner_->Run(wide, scratch + size);
  for (int64_t i = 0; i < n_; ++i)
    data[i] = Times(std::conj(wide[i]), roots_[static_cast<size_t>(i)]);
}

template <typename T>
RealFft<T>::RealFft(int64_t n)
    : n_(n),
      half_(n % 2 == 0 ? n / 2 : n),
      roots_(n % 2 == 0 ? Roots<T>(n / 2 + 1, n) : std::vector<Complex>()) {}

template <typename T>
void RealFft<T>::Forward(const T* x, Complex* bins, Complex* scratch) const {
  const int64_t size = half_.size();
  Complex* const z = scratch;
  if (n_ % 2 != 0) {
    for (int64_t i = 0; i < n_; ++i) z[i] = x[i];
    half_.Run(z, scratch + size);
    std::copy_n(z, n_ / 2 + 1, bins);
    return;
  }
  for (int64_t i = 0; i < size; ++i) z[i] = {x[2 * i], x[2 * i + 1]};
  half_.Run(z, scratch + size);
  for (int64_t k = 0; k <= size; ++k) {
    const Complex a = z[k == size ? 0 : k], b = std::conj(z[k == 0 ? 0 : size - k]);
    const Complex odd = Times(Turned(a - b), roots_[static_cast<size_t>(k)]);
    bins[k] = (a + b + odd) * T(0.5);
  }
}

template <typename T>
void RealFft<T>::Backward(const Complex* bins, T* x, Complex* scratch) const {
  const int64_t size = half_.size();
  Complex* const z = scratch;
  if (n_ % 2 != 0) {
    z[0] = bins[0].real();
    for (int64_t k = 1; k <= n_ / 2; ++k) {
      z[k] = std::conj(bins[k]);
      z[n_ - k] = bins[k];
    }
    half_.Run(z, scratch + size);
    for (int64_t i = 0; i < n_; ++i) x[i] = z[i].real();
    return;
  }
  // Conjugated throughout, for the inverse.
  for (int64_t k = 0; k < size; ++k) {
    Complex a = std::conj(bins[k]), b = bins[size - k];
    if (k == 0) a = a.real(), b = b.real();
    z[k] = a + b + Turned(Times(a - b, roots_[static_cast<size_t>(k)]));
  }
  half_.Run(z, scratch + size);
  for (int64_t i = 0; i < size; ++i) {
    x[2 * i] = z[i].real();
    x[2 * i + 1] = -z[i].imag();
  }
}

template class Fft<float>;
template class Fft<double>;
template class RealFft<float>;
template class RealFft<double>;

}  // namespace paddle::lite::math
