// Discrete Fourier transforms of any length, unscaled.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace paddle::lite::math {

// X[k] = sum over i of x[i] * exp(-2 pi j i k / n). The inverse is Run between two conjugations.
// Lengths whose prime factors are small take n log n steps of mixed radix; the others are a
// convolution of such a length.
template <typename T>
class Fft {
 public:
  using Complex = std::complex<T>;

  explicit Fft(int64_t n);
  int64_t size() const { return n_; }
  // Numbers that Run needs beside the data.
  int64_t scratch() const;
  // In place.
  void Run(Complex* data, Complex* scratch) const;

 private:
  void RunStages(Complex* data, Complex* scratch) const;
  void RunConvolution(Complex* data, Complex* scratch) const;

  int64_t n_;
  std::vector<int64_t> radices_;  // empty: by convolution
  std::vector<Complex> roots_;    // exp(-2 pi j i / n), or of i * i / 2 for a convolution
  std::unique_ptr<Fft> inner_;
  std::vector<Complex> spectrum_;  // of the convolution's constant operand
};

// The transform of n real numbers: the first n / 2 + 1 of the results, the others being their
// conjugates.
template <typename T>
class RealFft {
 public:
  using Complex = std::complex<T>;

  explicit RealFft(int64_t n);
  int64_t size() const { return n_; }
  int64_t bins() const { return n_ / 2 + 1; }
  int64_t scratch() const { return half_.size() + half_.scratch(); }
  void Forward(const T* x, Complex* bins, Complex* scratch) const;
  // x[i] = sum over all n results, with exp(+...). What cannot be of real numbers is ignored.
  void Backward(const Complex* bins, T* x, Complex* scratch) const;

 private:
  int64_t n_;
  Fft<T> half_;  // of n / 2 pairs where n is even, else of n
  std::vector<Complex> roots_;
};

}  // namespace paddle::lite::math
