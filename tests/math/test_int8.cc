#include "conv_sums.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/isa_tables.h"

namespace paddle::lite::math::test {
namespace {

// One of `extremes` weights is where a product of bytes could saturate, the others are no larger
// than `most`.
std::vector<int8_t> RandomBytes(int64_t count, int64_t most, int64_t extremes) {
  std::vector<int8_t> bytes(count);
  for (int8_t& b : bytes)
    b = static_cast<int8_t>(Pick(1, extremes) == 1 ? OneOf<int64_t>({-128, 127})
                                                   : Pick(-most - 1, most));
  return bytes;
}

// Those with few words in excess (excess.h), with none and with many.
std::vector<int8_t> RandomBytes(int64_t count) {
  const int64_t most = OneOf<int64_t>({127, 63, 63});
  return RandomBytes(count, most, most == 127 ? 4 : OneOf<int64_t>({300, int64_t{1} << 40}));
}

struct Input {
  Int8Rounding rounding;
  float step = 1;
};

Input RandomInput() {
  Input input;
  input.rounding.ties_to_even = Pick(0, 1) == 1;
  input.rounding.factor = OneOf<float>({2.0f, 32.0f, 90.7f});
  input.rounding.lowest = input.rounding.ties_to_even ? -128.0f : -127.0f;
  if (input.rounding.ties_to_even && Pick(0, 1) == 1) {
    const int64_t zero = OneOf<int64_t>({0, 1, 77, 128, 200, 255});
    input.rounding.divides = true;
    input.rounding.zero = static_cast<int>(zero);
    input.rounding.lowest = static_cast<float>(-zero);
    input.rounding.highest = static_cast<float>(255 - zero);
    input.rounding.factor = OneOf<float>({0.5f, 0.03f, 0.011f});
    input.step = input.rounding.factor;
    return input;
  }
  input.step = 1 / input.rounding.factor;
  return input;
}

// Multiples of 1/4 among them: ties.
std::vector<float> RandomReals(int64_t count) {
  std::vector<float> x = RandomFloats(count, -5, 5);
  for (float& v : x)
    if (Pick(0, 2) == 0) v = std::round(v * 4) / 4;
  return x;
}

double Rounded(const Input& input, float x) {
  const Int8Rounding& how = input.rounding;
  const float scaled = how.divides ? x / how.factor : how.factor * x;
  const float step = how.ties_to_even ? std::nearbyint(scaled) : std::round(scaled);
  return std::min(std::max(step, how.lowest), how.highest);
}

std::vector<float> RandomScales(int64_t count, int64_t terms) {
  return RandomFloats(count, 0.5f / 127 / std::sqrt(static_cast<float>(terms + 1)),
                      1.0f / 127 / std::sqrt(static_cast<float>(terms + 1)));
}

void RunGemm(int64_t m, int64_t n, int64_t k) {
  const int64_t lda = k + Pick(0, 3);
  const bool transposed = Pick(0, 1) == 1;
  const Input input = RandomInput();
  const std::vector<float> a = RandomReals(m * lda), scales = RandomScales(n, k);
  const std::vector<int8_t> b = RandomBytes(n * k);
  std::vector<double> product(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p)
        sum += Rounded(input, a[i * lda + p]) * b[transposed ? j * k + p : p * n + j];
      product[i * n + j] = sum * scales[j] * input.step;
    }
  const PackedInt8 packed = PackInt8Matrix(k, n, b.data(), transposed);
  const Int8Scaling scaling = ScaleInt8(packed, input.rounding, input.step, scales.data());
  std::vector<float> first, c(m * n, -7);
  RandomEpilogue e(m, n, OneOf<int64_t>({0, 1, 7, 100}), c.data());
  const std::vector<float> before = c;
  std::vector<double> expected = product;
  e.Apply(&expected);
  for (int threads : {1, 2, 3}) {
    c = before;
    GemmInt8(threads, m, {a.data()}, lda, packed, scaling, c.data(), n, e.epilogue);
    const std::string what = "int8 m" + std::to_string(m) + " n" + std::to_string(n) + " k" +
                             std::to_string(k) + " threads" + std::to_string(threads) +
                             e.Describe();
    CheckClose(c, expected, what);
    if (threads == 1) first = c;
    Check(c == first, "same on all threads: " + what);
  }
}

// All that neighbours can come to, where few have it.
MATH_TEST(Int8Excess) {
  for (const bool few : {true, false}) {
    const int64_t m = 7, n = 70, k = 200;
    const std::vector<int8_t> b = RandomBytes(n * k, few ? 63 : 127, few ? 200 : 2);
    const PackedInt8 packed = PackInt8Matrix(k, n, b.data(), /*transposed=*/true);
    const bool in_16_bits = LITE_ISA_PICK(kInt8Table).sums_in_16_bits;
    Check(packed.quads == (HasByteDot() || (few && in_16_bits)), "words of bytes");
    Check(packed.excess_ends.size() == 0 || !HasByteDot(), "none with dot products");
    Int8Rounding rounding;
    rounding.lowest = 0, rounding.highest = 255, rounding.zero = 0;
    const std::vector<float> a(m * k, 255), scales(n, 1);
    const Int8Scaling scaling = ScaleInt8(packed, rounding, 1, scales.data());
    std::vector<float> c(m * n);
    GemmInt8(1, m, {a.data()}, k, packed, scaling, c.data(), n, {});
    for (int64_t i = 0; i < m * n; ++i) {
      double sum = 0;
      for (int64_t p = 0; p < k; ++p) sum += 255.0 * b[i % n * k + p];
      Check(c[i] == static_cast<float>(sum), "column " + std::to_string(i % n));
    }
  }
}

MATH_TEST(Int8Gemm) {
  for (int i = 0; i < 200; ++i) RunGemm(Pick(0, 40), Pick(0, 100), Pick(0, 70));
  for (int64_t k : {511, 513, 2000}) RunGemm(Pick(1, 30), Pick(1, 70), k);
  for (int64_t m = 1; m < 30; ++m) RunGemm(m, Pick(1, 100), 20);
  RunGemm(700, 40, 200);
  RunGemm(1, 1000, 700);
}

void RunConv(const ConvShape& s) {
  const bool nchw = Pick(0, 3) == 0;
  const Input input = RandomInput();
  const std::vector<float> x = RandomReals(s.n * s.ih * s.iw * s.ic);
  const int64_t terms = s.ic / s.groups * s.kh * s.kw;
  const std::vector<int8_t> w = RandomBytes(s.oc * terms);
  const std::vector<float> scales = RandomScales(s.oc, terms);
  const PackedInt8 packed = PackInt8Conv(w.data(), s);
  const Int8Scaling scaling = ScaleInt8(packed, input.rounding, input.step, scales.data());
  std::vector<float> y(s.n * s.oh * s.ow * s.oc, -7), first;
  RandomEpilogue e(s.n * s.oh * s.ow, s.oc, s.oh * s.ow, y.data());
  const std::vector<float> before = y;
  std::vector<double> expected =
      ConvSums(s, nchw, [&](int64_t i, int64_t j) { return Rounded(input, x[i]) * w[j]; });
  for (size_t i = 0; i < expected.size(); ++i) expected[i] *= scales[i % s.oc] * input.step;
  e.Apply(&expected);
  for (int threads : {1, 2, 3}) {
    y = before;
    ConvInt8(threads, s, {x.data(), nchw}, packed, scaling, e.epilogue, y.data());
    const std::string what = "int8 conv " + DescribeConv(s) + " nchw " + std::to_string(nchw);
    CheckClose(y, expected, what + e.Describe());
    if (threads == 1) first = y;
    Check(y == first, "same on all threads: " + what);
  }
}

MATH_TEST(Int8Patches) {
  Check(TakesInt8Winograd(RandomPatches()) == !HasByteDot(), "3x3 convolutions are patches");
  for (int i = 0; i < 200; ++i) RunConv(RandomPatches());
  ConvShape wide;  // several strips of several blocks
  wide.ih = wide.oh = 9, wide.iw = wide.ow = 700, wide.pt = wide.pl = 1;
  wide.ic = 100, wide.oc = 20, wide.kh = wide.kw = 3;
  RunConv(wide);
}

// The largest sums of the most channels.
MATH_TEST(Int8PatchesStayInt32) {
  ConvShape s;
  s.ic = 1800, s.oc = 16, s.kh = s.kw = 3, s.pt = s.pl = 1;
  s.ih = s.iw = s.oh = s.ow = 4;
  Int8Rounding rounding;
  rounding.lowest = 0, rounding.highest = 255, rounding.zero = 0;
  const std::vector<float> x(s.ih * s.iw * s.ic, 300), scales(s.oc, 1);
  for (const int weight : {-128, 127}) {
    const std::vector<int8_t> w(s.oc * s.ic * 9, static_cast<int8_t>(weight));
    const PackedInt8 packed = PackInt8Conv(w.data(), s);
    std::vector<float> y(s.oh * s.ow * s.oc);
    ConvInt8(1, s, {x.data()}, packed, ScaleInt8(packed, rounding, 1, scales.data()), {}, y.data());
    for (int64_t i = 0; i < s.oh * s.ow * s.oc; ++i) {
      const int64_t oy = i / s.oc / s.ow, ox = i / s.oc % s.ow;
      const int64_t taps = (oy % 3 == 0 ? 2 : 3) * (ox % 3 == 0 ? 2 : 3);
      Check(y[i] == static_cast<float>(taps * s.ic * 255 * weight), "at " + std::to_string(i));
    }
  }
}

MATH_TEST(Int8Conv) {
  for (int i = 0; i < 300; ++i) RunConv(RandomGroupedConv());
  for (int i = 0; i < 30; ++i) RunConv(RandomFarTaps());
  ConvShape large;
  large.n = 2, large.ih = large.iw = large.oh = large.ow = 40;
  large.ic = 70, large.oc = 50, large.kh = large.kw = 3, large.pt = large.pl = 1;
  RunConv(large);
}

}  // namespace
}  // namespace paddle::lite::math::test
