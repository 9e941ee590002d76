#include <algorithm>
#include <cfloat>
#include <limits>

#include "conv_sums.h"
#include "lite/kernels/cpu/math/halves.h"
#include "lite/kernels/cpu/math/isa.h"

namespace paddle::lite::math::test {
namespace {

// What is tested.
WeightPrecision precision = WeightPrecision::kBf16;

std::string Name() { return precision == WeightPrecision::kBf16 ? "bf16" : "fp16"; }

// The nearest number with so many significant bits, ties to even; denormals of bf16 are 0.
double Nearest(float x) {
  const bool bf16 = precision == WeightPrecision::kBf16;
  if (std::isnan(x) || std::isinf(x)) return x;
  if (bf16 && std::fabs(x) < FLT_MIN) return 0;
  int exponent;
  std::frexp(x, &exponent);
  const double step = std::ldexp(1.0, bf16 ? exponent - 8 : std::max(exponent - 11, -24));
  const double rounded = std::nearbyint(x / step) * step;
  return std::fabs(rounded) >= (bf16 ? 0x1p128 : 0x1p16) ? std::copysign(HUGE_VAL, x) : rounded;
}

std::vector<double> AllNearest(const std::vector<float>& values) {
  std::vector<double> nearest(values.size());
  std::transform(values.begin(), values.end(), nearest.begin(), Nearest);
  return nearest;
}

// Sums of kFp16Summands numbers in fp16 lose bits at every step, and epilogues magnify that.
double Tolerance() {
  return precision == WeightPrecision::kFp16 && HasFp16Arithmetic() ? 1e-2 : 1e-5;
}

// Ties among them.
std::vector<float> RandomReals(int64_t count, float limit = 1) {
  std::vector<float> x = RandomFloats(count, -limit, limit);
  for (float& v : x)
    if (Pick(0, 2) == 0) v = limit * (1 + static_cast<float>(Pick(-256, 256)) / 256);
  return x;
}

struct Gemm {
  int64_t m, n, k;
  int64_t lda = 0, ldb = 0;
  bool transposed = false;
  std::vector<float> a, b;

  std::vector<double> Product() const {
    const std::vector<double> as = AllNearest(a), bs = AllNearest(b);
    std::vector<double> product(m * n);
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        for (int64_t p = 0; p < k; ++p)
          product[i * n + j] += as[i * lda + p] * bs[transposed ? j * ldb + p : p * ldb + j];
    return product;
  }
};

Gemm RandomGemm(int64_t m, int64_t n, int64_t k) {
  Gemm g{m, n, k, 0, 0, false, {}, {}};
  g.lda = k + Pick(0, 3);
  g.transposed = Pick(0, 1) == 1;
  g.ldb = (g.transposed ? k : n) + Pick(0, 3);
  g.a = RandomReals(m * g.lda);
  g.b = RandomReals((g.transposed ? n : k) * g.ldb, 2 / std::sqrt(static_cast<float>(k + 1)));
  return g;
}

void RunGemm(const Gemm& g) {
  const int64_t m = g.m, n = g.n, k = g.k;
  const PackedHalves packed =
      PackHalvesMatrix(precision, k, n, g.b.data(), g.ldb, g.transposed, Pick(1, 2));
  std::vector<float> first, c(m * n, -7);
  RandomEpilogue e(m, n, OneOf<int64_t>({0, 1, 7, 100}), c.data());
  const std::vector<float> before = c;
  std::vector<double> expected = g.Product();
  e.Apply(&expected);
  for (int threads : {1, 2, 3}) {
    c = before;
    GemmHalves(threads, m, g.a.data(), g.lda, packed, c.data(), n, e.epilogue);
    const std::string what = Name() + " m" + std::to_string(m) + " n" + std::to_string(n) + " k" +
                             std::to_string(k) + " threads" + std::to_string(threads) +
                             e.Describe();
    CheckClose(c, expected, what, Tolerance());
    if (threads == 1) first = c;
    Check(c == first, "same on all threads: " + what);
  }
}

void GemmCases() {
  for (int i = 0; i < 200; ++i) RunGemm(RandomGemm(Pick(0, 40), Pick(0, 100), Pick(0, 70)));
  for (int64_t k : {511, 513, 2000}) RunGemm(RandomGemm(Pick(1, 30), Pick(1, 70), k));
  for (int64_t m = 1; m < 30; ++m) RunGemm(RandomGemm(m, Pick(1, 100), 20));
  RunGemm(RandomGemm(700, 40, 200));
  RunGemm(RandomGemm(1, 1000, 700));
}

// One product of special numbers beside ordinary ones: what they make must not spread, and what
// the reference has, NaN and infinities included, must be there.
void SpecialCases() {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::nanf("");
  for (const float special :
       {inf, -inf, nan, FLT_MAX, -FLT_MAX, FLT_MIN / 2, -FLT_MIN / 4, 0.0f, 65519.9f, 65520.0f,
        0x1.0028p-14f, 0x1.8p-25f, 0x1p-25f, -0.0f, 0x1.01p0f, 0x1.03p0f, 0x1.fffffep127f}) {
    for (const int64_t k : {1, 2, 7, 33}) {
      Gemm g = RandomGemm(13, 37, k);
      g.transposed = true;
      g.lda = g.ldb = k;
      g.a.resize(g.m * k);
      g.b = RandomReals(g.n * k, 0.5f);
      g.a[5 * k + k - 1] = special;
      const PackedHalves packed = PackHalvesMatrix(precision, k, g.n, g.b.data(), k, true);
      std::vector<float> c(g.m * g.n, -7);
      GemmHalves(1, g.m, g.a.data(), k, packed, c.data(), g.n, Epilogue());
      const std::vector<double> expected = g.Product();
      for (int64_t i = 0; i < g.m; ++i) {
        const std::vector<float> got(c.begin() + i * g.n, c.begin() + (i + 1) * g.n);
        const std::vector<double> row(expected.begin() + i * g.n, expected.begin() + (i + 1) * g.n);
        CheckClose(got, row,
                   Name() + " special " + std::to_string(special) + " k" + std::to_string(k),
                   Tolerance());
      }
    }
  }
}

std::vector<double> Convolve(const ConvShape& s, const std::vector<float>& x, bool nchw,
                             const std::vector<float>& w) {
  const std::vector<double> xs = AllNearest(x), ws = AllNearest(w);
  return ConvSums(s, nchw, [&](int64_t i, int64_t j) { return xs[i] * ws[j]; });
}

ConvShape RandomShape() {
  ConvShape s = RandomGroupedConv();
  if (Pick(0, 3) == 0) s.x_pixel = s.ic + Pick(1, 5);
  if (Pick(0, 3) == 0) s.y_pixel = s.oc + Pick(1, 5);
  return s;
}

void RunConv(ConvShape s) {
  const bool nchw = s.x_pixel == 0 && Pick(0, 3) == 0;
  const int64_t terms = s.ic / s.groups * s.kh * s.kw, pixels = s.n * s.oh * s.ow;
  const std::vector<float> x = RandomReals(s.n * s.ih * s.iw * s.XPixel());
  const std::vector<float> w =
      RandomReals(s.oc * terms, 2 / std::sqrt(static_cast<float>(terms + 1)));
  const PackedHalves packed =
      PackHalvesConv(precision, w.data(), s.oc, s.ic, s.kh, s.kw, s.groups, s.dw > 1, Pick(1, 2));
  std::vector<float> dense(pixels * s.oc, -7), first;
  RandomEpilogue e(pixels, s.oc, s.oh * s.ow, dense.data());
  // The result's own memory as an operand has the result's strides: not for slices here.
  const bool aliased = !e.residual.empty();
  if (aliased) s.y_pixel = 0;
  std::vector<float> y = dense;
  if (s.y_pixel != 0) y.assign(pixels * s.y_pixel, -7);
  float* const out = s.y_pixel != 0 ? y.data() : dense.data();
  const std::vector<float> before = s.y_pixel != 0 ? y : dense;
  std::vector<double> expected = Convolve(s, x, nchw, w);
  e.Apply(&expected);
  for (int threads : {1, 2, 3}) {
    std::copy(before.begin(), before.end(), out);
    ConvHalves(threads, s, x.data(), nchw, packed, e.epilogue, out);
    std::string what = Name() + " conv " + DescribeConv(s) + " xp,yp,nchw";
    for (int64_t v : {s.x_pixel, s.y_pixel, static_cast<int64_t>(nchw)})
      what += " " + std::to_string(v);
    std::vector<float> got(pixels * s.oc);
    for (int64_t p = 0; p < pixels; ++p)
      for (int64_t o = 0; o < s.YPixel(); ++o) {
        const float value = out[p * s.YPixel() + o];
        if (o < s.oc)
          got[p * s.oc + o] = value;
        else
          Check(value == -7, "neighbours stay: " + what);
      }
    CheckClose(got, expected, what + e.Describe(), Tolerance());
    if (threads == 1) first = got;
    Check(got == first, "same on all threads: " + what);
  }
}

void ConvCases() {
  for (int i = 0; i < 300; ++i) RunConv(RandomShape());
  for (int i = 0; i < 20; ++i) RunConv(RandomFarTaps());
  ConvShape large;
  large.n = 2, large.ih = large.iw = large.oh = large.ow = 40;
  large.ic = 70, large.oc = 50, large.kh = large.kw = 3, large.pt = large.pl = 1;
  RunConv(large);
}

// What padding and slack hold must not reach the sums where the input is infinite beside them.
void ConvBesideInfinity() {
  ConvShape s;
  s.ih = s.iw = 4, s.ic = 3, s.oc = 5, s.kh = s.kw = 3, s.oh = s.ow = 2;
  std::vector<float> x = RandomFloats(s.ih * s.iw * s.ic);
  // The last pixel: only the last window has it.
  for (int64_t c = 0; c < s.ic; ++c) x[(s.ih * s.iw - 1) * s.ic + c] = HUGE_VALF;
  const std::vector<float> w = RandomFloats(s.oc * s.ic * 9, 0.5f, 1);
  const PackedHalves packed = PackHalvesConv(precision, w.data(), s.oc, s.ic, 3, 3, 1, false);
  std::vector<float> y(4 * s.oc);
  ConvHalves(1, s, x.data(), false, packed, Epilogue(), y.data());
  CheckClose(y, Convolve(s, x, false, w), Name() + " beside infinity", Tolerance());
}

void With(WeightPrecision wanted, void (*run)()) {
  precision = wanted;
  run();
}

MATH_TEST(Bf16Gemm) { With(WeightPrecision::kBf16, GemmCases); }
MATH_TEST(Bf16Specials) { With(WeightPrecision::kBf16, SpecialCases); }
MATH_TEST(Bf16Conv) { With(WeightPrecision::kBf16, ConvCases); }
MATH_TEST(Bf16ConvBesideInfinity) { With(WeightPrecision::kBf16, ConvBesideInfinity); }
MATH_TEST(Fp16Gemm) { With(WeightPrecision::kFp16, GemmCases); }
MATH_TEST(Fp16Specials) { With(WeightPrecision::kFp16, SpecialCases); }
MATH_TEST(Fp16Conv) { With(WeightPrecision::kFp16, ConvCases); }
MATH_TEST(Fp16ConvBesideInfinity) { With(WeightPrecision::kFp16, ConvBesideInfinity); }

}  // namespace
}  // namespace paddle::lite::math::test
