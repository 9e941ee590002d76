#include <algorithm>
#include <cstring>

#include "check.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/winograd.h"
#include "lite/kernels/cpu/math/winograd_points.h"

namespace paddle::lite::math::test {
namespace {

constexpr float kDenormal = 1e-39f;

// Random weights, a third of them denormal.
std::vector<float> Weights(int64_t count) {
  std::vector<float> w = RandomFloats(count);
  for (float& value : w)
    if (Pick(0, 2) == 0) value *= kDenormal;
  return w;
}

float Flushed(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? 0.0f : value; }

// Element (row, column) of a packed K x N matrix.
float At(const float* packed, int64_t k, int64_t n, int64_t row, int64_t column) {
  int64_t panel = 0;
  while (PanelColumn(panel + 1, n) <= column) ++panel;
  const int64_t begin = PanelColumn(panel, n), end = PanelColumn(panel + 1, n);
  const int64_t width = end == n ? PackedFloats(k, n) / k - begin : end - begin;
  return packed[begin * k + row * width + column - begin];
}

template <typename Packed>
void CheckSame(const Packed& one, const Packed& many, const std::string& what) {
  Check(one.data.size() == many.data.size() &&
            std::memcmp(one.data.data(), many.data.data(), one.data.size() * sizeof(float)) == 0,
        what + " does not depend on the threads");
}

}  // namespace

MATH_TEST(PackedMatrices) {
  for (int i = 0; i < 300; ++i) {
    const int64_t k = OneOf<int64_t>({Pick(1, 40), Pick(100, 300)});
    const int64_t n = OneOf<int64_t>({Pick(1, 40), Pick(100, 300)});
    const bool transposed = Pick(0, 1) == 1;
    const auto b = Weights(k * n);
    const int64_t ldb = transposed ? k : n;
    const PackedMatrix packed = PackB(k, n, b.data(), ldb, transposed);
    bool right = true;
    for (int64_t row = 0; row < k; ++row)
      for (int64_t column = 0; column < n; ++column)
        right &= At(packed.data.data(), k, n, row, column) ==
                 Flushed(transposed ? b[column * k + row] : b[row * n + column]);
    Check(right, "PackB k " + std::to_string(k) + " n " + std::to_string(n));
    CheckSame(packed, PackB(k, n, b.data(), ldb, transposed, 3), "PackB");
  }
}

MATH_TEST(PackedConvolutions) {
  for (int i = 0; i < 200; ++i) {
    const int64_t groups = OneOf<int64_t>({1, 1, 1, 2, 6}), kh = Pick(1, 4), kw = Pick(1, 4);
    const int64_t gi = OneOf<int64_t>({Pick(1, 20), Pick(60, 70)});
    const int64_t go = OneOf<int64_t>({Pick(1, 20), Pick(60, 70)});
    const int64_t taps = kh * kw;
    const auto w = Weights(groups * go * gi * taps);
    const PackedConv packed = PackConv(w.data(), groups * go, groups * gi, kh, kw, groups);
    const int64_t k = taps * packed.block_ic;
    bool right = true;
    for (int64_t o = 0; o < groups * go; ++o) {
      const int64_t block = o / packed.block_oc, column = o % packed.block_oc;
      for (int64_t t = 0; t < taps; ++t)
        for (int64_t c = 0; c < packed.block_ic; ++c) {
          const bool own = c / gi == column / go;
          right &= At(packed.data.data() + block * packed.block_floats, k, packed.block_oc,
                      t * packed.block_ic + c, column) ==
                   (own ? Flushed(w[static_cast<size_t>((o * gi + c % gi) * taps + t)]) : 0.0f);
        }
    }
    Check(right, "PackConv groups " + std::to_string(groups) + " ic " + std::to_string(gi) +
                     " oc " + std::to_string(go) + " taps " + std::to_string(taps));
    CheckSame(packed, PackConv(w.data(), groups * go, groups * gi, kh, kw, groups, 3), "PackConv");
  }
}

MATH_TEST(PackedDepthwiseWeights) {
  for (int i = 0; i < 100; ++i) {
    const int64_t channels = Pick(1, 90), kh = Pick(1, 5), kw = Pick(1, 7), taps = kh * kw;
    const auto w = Weights(channels * taps);
    const PackedDepthwise packed = PackDepthwise(w.data(), channels, kh, kw);
    const int64_t padded = packed.data.size() / taps;
    bool right = true;
    for (int64_t t = 0; t < taps; ++t)
      for (int64_t c = 0; c < padded; ++c)
        right &= packed.data.data()[t * padded + c] ==
                 (c < channels ? Flushed(w[static_cast<size_t>(c * taps + t)]) : 0.0f);
    Check(right, "PackDepthwise " + std::to_string(channels) + " taps " + std::to_string(taps));
  }
}

MATH_TEST(PackedWinogradWeights) {
  const double a = kWinogradA, b = kWinogradB;
  const double at_0 = a * a * b * b, at_a = 2 * a * a * (a * a - b * b),
               at_b = 2 * b * b * (b * b - a * a);
  const std::vector<std::vector<double>> transforms[] = {
      {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
      {{1 / at_0, 0, 0},
       {1 / at_a, a / at_a, a * a / at_a},
       {1 / at_a, -a / at_a, a * a / at_a},
       {1 / at_b, b / at_b, b * b / at_b},
       {1 / at_b, -b / at_b, b * b / at_b},
       {0, 0, 1}}};
  for (int i = 0; i < 60; ++i) {
    const int tile = i % 2 == 0 ? 2 : 4;
    const auto& g = transforms[tile / 2 - 1];
    const int64_t ic = Pick(1, 40), oc = OneOf<int64_t>({Pick(1, 40), Pick(100, 140)});
    const auto w = Weights(oc * ic * 9);
    const PackedWinograd packed = PackWinograd(w.data(), oc, ic, tile);
    bool right = true;
    for (int64_t m = 0; m < (tile + 2) * (tile + 2); ++m)
      for (int64_t o = 0; o < oc; ++o)
        for (int64_t c = 0; c < ic; ++c) {
          double exact = 0, size = 0;
          for (int64_t t = 0; t < 9; ++t) {
            const double term = g[m / (tile + 2)][t / 3] * g[m % (tile + 2)][t % 3] *
                                Flushed(w[static_cast<size_t>((o * ic + c) * 9 + t)]);
            exact += term, size += std::abs(term);
          }
          const float got = At(packed.data.data() + m * packed.matrix_floats, ic, oc, c, o);
          // Rounded once, to the nearest float.
          right &= std::abs(got - exact) <= 0x1p-24 * std::abs(exact) + 1e-15 * size + 1.2e-38;
          right &= std::fpclassify(got) != FP_SUBNORMAL;
        }
    Check(right, "PackWinograd tile " + std::to_string(tile) + " ic " + std::to_string(ic) +
                     " oc " + std::to_string(oc));
    CheckSame(packed, PackWinograd(w.data(), oc, ic, tile, 3), "PackWinograd");
  }
}

MATH_TEST(PackedTransposedWeights) {
  for (const auto& [kernel, channels] : {std::pair{2, 20}, {3, 20}, {2, 1}}) {
    ConvShape s;
    s.ic = 20;
    s.oc = channels;
    s.kh = s.kw = kernel;
    s.sh = s.sw = 2;
    const auto w = Weights(s.ic * s.oc * kernel * kernel);
    const PackedConvTranspose packed = PackConvTranspose(w.data(), s);
    Check(std::none_of(packed.data.data(), packed.data.data() + packed.data.size(),
                       [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; }),
          "PackConvTranspose flushes denormals");
  }
}

}  // namespace paddle::lite::math::test
