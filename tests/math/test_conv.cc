#include <algorithm>
#include <cmath>

#include "conv_sums.h"
#include "lite/kernels/cpu/math/caches.h"
#include "lite/kernels/cpu/math/conv.h"
#include "lite/kernels/cpu/math/integer_weights.h"
#include "lite/kernels/cpu/math/pixel_lanes.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/winograd.h"

namespace paddle::lite::math::test {
namespace {

std::string Describe(const ConvShape& s, int threads, const RandomEpilogue& e) {
  return DescribeConv(s) + " threads" + std::to_string(threads) + e.Describe();
}

// Weights that make sums of about 1, so that activations do not magnify rounding errors.
std::vector<float> RandomWeights(int64_t count, int64_t terms) {
  const float limit = 2 / std::sqrt(static_cast<float>(terms));
  return RandomFloats(count, -limit, limit);
}

// x is NHWC, weights OIHW.
std::vector<double> Reference(const ConvShape& s, const std::vector<float>& x,
                              const std::vector<float>& w) {
  ConvShape dense = s;
  dense.x_pixel = 0;
  return ConvSums(dense, false, [&](int64_t i, int64_t j) { return double(x[i]) * w[j]; });
}

// x is NHWC, weights IOHW.
std::vector<double> TransposeReference(const ConvShape& s, const std::vector<float>& x,
                                       const std::vector<float>& w) {
  std::vector<double> y(s.n * s.oh * s.ow * s.oc);
  const int64_t gi = s.ic / s.groups, go = s.oc / s.groups;
  for (int64_t p = 0; p < s.n * s.ih * s.iw; ++p) {
    const int64_t image = p / (s.ih * s.iw), iy = p / s.iw % s.ih, ix = p % s.iw;
    for (int64_t i = 0; i < s.ic; ++i) {
      for (int64_t ky = 0; ky < s.kh; ++ky) {
        for (int64_t kx = 0; kx < s.kw; ++kx) {
          const int64_t oy = iy * s.sh - s.pt + ky * s.dh, ox = ix * s.sw - s.pl + kx * s.dw;
          if (oy < 0 || oy >= s.oh || ox < 0 || ox >= s.ow) continue;
          for (int64_t o = 0; o < go; ++o) {
            y[((image * s.oh + oy) * s.ow + ox) * s.oc + i / gi * go + o] +=
                double(x[p * s.ic + i]) * w[((i * go + o) * s.kh + ky) * s.kw + kx];
          }
        }
      }
    }
  }
  return y;
}

std::vector<float> ToNchw(const ConvShape& s, const std::vector<float>& x) {
  std::vector<float> out(x.size());
  const int64_t hw = s.ih * s.iw;
  for (int64_t i = 0; i < static_cast<int64_t>(x.size()); ++i) {
    const int64_t image = i / (hw * s.ic), p = i / s.ic % hw, c = i % s.ic;
    out[(image * s.ic + c) * hw + p] = x[i];
  }
  return out;
}

template <typename Run>
void Compare(const ConvShape& s, std::vector<double> expected, const Run& run) {
  std::vector<float> y(expected.size(), -7), first;
  RandomEpilogue e(s.n * s.oh * s.ow, s.oc, s.oh * s.ow, y.data());
  const std::vector<float> before = y;
  e.Apply(&expected);
  // Sums are of the size of the root of their summands' number, whatever the epilogue leaves.
  const double size = std::sqrt(static_cast<double>(s.kh * s.kw * s.ic / s.groups));
  const double tolerance = 1e-5 * std::max(1.0, size / 100);
  for (int threads : {1, 2, 3}) {
    y = before;
    run(threads, e.epilogue, y.data());
    CheckClose(y, expected, Describe(s, threads, e), tolerance);
    if (threads == 1) first = y;
    Check(y == first, "same on all threads: " + Describe(s, threads, e));
  }
}

// Output sizes up to what stride 1 padding could make, and beyond: the rest is padding too.
ConvShape RandomShape() {
  ConvShape s;
  s.n = Pick(1, 3);
  s.ih = Pick(1, 20);
  s.iw = OneOf<int64_t>({Pick(1, 20), Pick(20, 60)});
  s.kh = OneOf<int64_t>({1, 1, 2, 3, 3, 5, 7});
  s.kw = Pick(0, 3) == 0 ? Pick(1, 7) : s.kh;
  s.sh = OneOf<int64_t>({1, 1, 2, 3});
  s.sw = Pick(0, 3) == 0 ? Pick(1, 4) : s.sh;
  s.dh = OneOf<int64_t>({1, 1, 1, 2, 3});
  s.dw = Pick(0, 3) == 0 ? Pick(1, 3) : s.dh;
  s.pt = OneOf<int64_t>({0, s.kh / 2, Pick(0, 9)});
  s.pl = OneOf<int64_t>({0, s.kw / 2, Pick(0, 9)});
  if (Pick(0, 9) == 0) s.iw = s.kw, s.pl = 0;  // rows of a kernel follow one another
  const int64_t bottom = Pick(0, 2) * s.kh, right = Pick(0, 2) * s.kw;
  s.oh = std::max<int64_t>(1, (s.ih + s.pt + bottom - (s.kh - 1) * s.dh - 1) / s.sh + 1);
  s.ow = std::max<int64_t>(1, (s.iw + s.pl + right - (s.kw - 1) * s.dw - 1) / s.sw + 1);
  return s;
}

MATH_TEST(Conv) {
  for (int i = 0; i < 200; ++i) {
    ConvShape s = RandomShape();
    s.groups = OneOf<int64_t>({1, 1, 1, 2, 3, 4, 8});
    const bool wide = Pick(0, 9) == 0;
    s.ic = s.groups * (wide ? Pick(100, 600) : Pick(1, 20));
    s.oc = s.groups * (Pick(0, 3) == 0 ? Pick(30, 70) : Pick(1, 20));
    if (wide) s.n = 1;
    if (wide) s.oh = std::min<int64_t>(s.oh, 3);
    if (i % 10 == 0) {  // a line
      s.ih = Pick(1, 400), s.iw = s.kw = 1, s.pl = 0, s.ow = Pick(1, 2);
      s.oh = Pick(1, (s.ih + s.pt) / s.sh + 3);
    }
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.oc * s.ic / s.groups * s.kh * s.kw, s.ic * s.kh * s.kw);
    const PackedConv packed =
        PackConv(w.data(), s.oc, s.ic, s.kh, s.kw, s.groups, 1, s.n * s.oh * s.ow);
    const auto nchw = ToNchw(s, x);
    const auto expected = Reference(s, x, w);
    Compare(s, expected, [&](int threads, const Epilogue& e, float* y) {
      ConvNhwc(threads, s, x.data(), packed, e, y);
    });
    Compare(s, expected, [&](int threads, const Epilogue& e, float* y) {
      ConvNchwInput(threads, s, nchw.data(), packed, e, y);
    });
  }
}

// Whether or not it would pay.
MATH_TEST(ConvToFewChannels) {
  for (int i = 0; i < 150; ++i) {
    ConvShape s = RandomShape();
    s.sh = s.sw = 1;
    s.oh = std::max<int64_t>(1, s.ih + s.pt - (s.kh - 1) * s.dh + Pick(0, s.kh));
    s.ow = std::max<int64_t>(1, s.iw + s.pl - (s.kw - 1) * s.dw + Pick(0, s.kw));
    if (i % 5 == 0) s.iw = s.ow = Pick(180, 400), s.kw = 1, s.pl = 0;  // more than a block
    s.ic = OneOf<int64_t>({Pick(1, 20), Pick(20, 100)});
    s.oc = Pick(1, 8);
    s.x_pixel = s.ic + OneOf<int64_t>({0, 0, 3});
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.x_pixel);
    const auto w = RandomWeights(s.oc * s.ic * s.kh * s.kw, s.ic * s.kh * s.kw);
    const PackedConv packed = PackConvLanes(w.data(), s);
    std::vector<float> dense;
    for (int64_t p = 0; p < s.n * s.ih * s.iw; ++p)
      dense.insert(dense.end(), x.begin() + p * s.x_pixel, x.begin() + p * s.x_pixel + s.ic);
    Compare(s, Reference(s, dense, w), [&](int threads, const Epilogue& e, float* y) {
      ConvLanes(threads, s, x.data(), packed, e, y);
    });
  }
}

// Taps so far apart that many read padding only: whole, and some rows by themselves.
MATH_TEST(ConvOfFarTaps) {
  for (int i = 0; i < 60; ++i) {
    ConvShape s = RandomFarTaps();
    s.x_pixel = s.ic + OneOf<int64_t>({0, 0, 3});
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.x_pixel);
    const auto w = RandomWeights(s.oc * s.ic / s.groups * s.kh * s.kw, s.ic * s.kh * s.kw);
    const PackedConv packed =
        PackConv(w.data(), s.oc, s.ic, s.kh, s.kw, s.groups, 1, s.n * s.oh * s.ow);
    std::vector<float> dense(s.n * s.ih * s.iw * s.ic);
    for (int64_t p = 0; p < s.n * s.ih * s.iw; ++p)
      std::copy_n(x.data() + p * s.x_pixel, s.ic, dense.data() + p * s.ic);
    const auto expected = Reference(s, dense, w);
    Compare(s, expected, [&](int threads, const Epilogue& e, float* y) {
      ConvNhwc(threads, s, x.data(), packed, e, y);
    });
    Compare(s, expected, [&](int, const Epilogue& e, float* y) {
      const int64_t some = Pick(1, 5);
      for (int64_t row = 0; row < s.n * s.oh;) {
        ConvRows rows;
        rows.image = row / s.oh, rows.begin = row % s.oh;
        rows.end = std::min(rows.begin + some, s.oh);
        rows.x = x.data() + rows.image * s.ih * s.iw * s.x_pixel, rows.x_rows = s.ih;
        rows.y = y + row * s.ow * s.oc;
        ConvNhwcRows(s, rows, false, packed, e);
        row += rows.end - rows.begin;
      }
    });
  }
}

// Pixels that lie pages apart.
MATH_TEST(ConvOfCollidingPixels) {
  for (const auto& [channels, stride] : {std::pair<int64_t, int64_t>{1024, 1}, {512, 2}}) {
    ConvShape s;
    s.n = 2;
    s.ih = s.iw = 9;
    s.kh = s.kw = 1;
    s.sh = s.sw = stride;
    s.oh = s.ow = (9 + stride - 1) / stride;
    s.ic = channels;
    s.oc = Pick(64, 80);
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.oc * s.ic, s.ic);
    const PackedConv packed = PackConv(w.data(), s.oc, s.ic, 1, 1, 1, 1, s.n * s.oh * s.ow);
    Compare(s, Reference(s, x, w), [&](int threads, const Epilogue& e, float* y) {
      ConvNhwc(threads, s, x.data(), packed, e, y);
    });
  }
}

// What is read and written does not fit into L2.
MATH_TEST(LargeConv) {
  for (const int64_t kernel : {1, 2, 3}) {
    ConvShape s;
    s.kh = s.kw = kernel;
    s.sh = s.sw = kernel;
    s.ic = kernel == 1 ? 66 : 18;
    s.oc = OneOf<int64_t>({20, 40, 70});
    s.oh = s.ow =
        static_cast<int64_t>(std::sqrt(L2CacheBytes() / 4 / (s.oc + s.ic * kernel * kernel)) + 2);
    s.ih = s.iw = s.oh * kernel;
    const auto x = RandomFloats(s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.oc * s.ic * kernel * kernel, s.ic * kernel * kernel);
    const PackedConv packed = PackConv(w.data(), s.oc, s.ic, kernel, kernel, 1, 1, s.oh * s.ow);
    Compare(s, Reference(s, x, w), [&](int threads, const Epilogue& e, float* y) {
      ConvNhwc(threads, s, x.data(), packed, e, y);
    });
  }
}

MATH_TEST(WinogradTiles) {
  for (int i = 0; i < 100; ++i) {
    ConvShape s = RandomShape();
    s.kh = s.kw = 3;
    s.sh = s.sw = s.dh = s.dw = 1;
    s.oh = std::max<int64_t>(1, s.ih + s.pt - 2 + Pick(0, 4));
    s.ow = std::max<int64_t>(1, s.iw + s.pl - 2 + Pick(0, 4));
    s.ic = OneOf<int64_t>({Pick(1, 40), 16, 64});
    s.oc = OneOf<int64_t>({Pick(1, 40), 16, 64});
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.oc * s.ic * 9, s.ic * 9);
    const auto expected = Reference(s, x, w);
    for (const int tile : {2, 4}) {
      const PackedWinograd packed = PackWinograd(w.data(), s.oc, s.ic, tile, 1, &s);
      if (TilesPay(1, 1, 1)) Check(packed.cpu_tiles, "products in the CPU's tiles");
      Compare(s, expected, [&](int threads, const Epilogue& e, float* y) {
        WinogradNhwc(threads, s, x.data(), packed, e, y);
      });
    }
  }
}

// Filters that are cut into parts of 3x3, and dilations.
MATH_TEST(WinogradParts) {
  for (int i = 0; i < 40; ++i) {
    ConvShape s = RandomShape();
    s.kh = Pick(3, 9);
    s.kw = Pick(3, 9);
    s.sh = s.sw = 1;
    s.dh = OneOf<int64_t>({1, Pick(1, 5)});
    s.dw = OneOf<int64_t>({1, Pick(1, 5)});
    s.oh = std::max<int64_t>(1, s.ih + s.pt - (s.kh - 1) * s.dh + Pick(0, 4));
    s.ow = std::max<int64_t>(1, s.iw + s.pl - (s.kw - 1) * s.dw + Pick(0, 4));
    s.ic = Pick(1, 20);
    s.oc = OneOf<int64_t>({Pick(1, 40), 16});
    const int64_t summands = s.ic * s.kh * s.kw;
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.oc * summands, summands);
    const auto expected = Reference(s, x, w);
    for (const int tile : {2, 4}) {
      const PackedWinograd packed = PackWinograd(w.data(), s.oc, s.ic, tile, 1, &s);
      Compare(s, expected, [&](int threads, const Epilogue& e, float* y) {
        WinogradNhwc(threads, s, x.data(), packed, e, y);
      });
    }
  }
}

// Few tiles of many channels: threads share the products.
MATH_TEST(WinogradTogether) {
  for (int i = 0; i < 12; ++i) {
    ConvShape s;
    s.kh = s.kw = 3;
    s.pt = s.pl = 1;
    s.n = Pick(1, 2);
    s.ih = s.oh = Pick(4, 15);
    s.iw = s.ow = Pick(4, 15);
    s.ic = Pick(60, 200);
    s.oc = Pick(60, 200);
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.oc * s.ic * 9, s.ic * 9);
    const auto expected = Reference(s, x, w);
    for (const int tile : {2, 4}) {
      const PackedWinograd packed = PackWinograd(w.data(), s.oc, s.ic, tile, 1, &s);
      if (TilesPay(1, 1, 1)) Check(packed.cpu_tiles, "products in the CPU's tiles");
      Compare(s, expected, [&](int threads, const Epilogue& e, float* y) {
        WinogradNhwc(threads, s, x.data(), packed, e, y);
      });
    }
  }
}

// Weights in integers give what the floats give that they stand for.
void RunIntegers(const ConvShape& s) {
  const int64_t summands = s.ic * s.kh * s.kw;
  const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
  const auto scales = RandomWeights(s.oc, summands * 100 * 100);
  std::vector<int8_t> w(static_cast<size_t>(s.oc * summands));
  for (int8_t& value : w) value = static_cast<int8_t>(Pick(-128, 127));
  std::vector<float> floats;
  for (int64_t i = 0; i < s.oc * summands; ++i) floats.push_back(w[i] * scales[i / summands]);
  const PackedConv packed = PackConvIntegers(w.data(), s.oc, s.ic, s.kh, s.kw, scales.data(), 2);
  const PackedConv expected = PackConv(floats.data(), s.oc, s.ic, s.kh, s.kw, 1);
  std::vector<float> y(s.n * s.oh * s.ow * s.oc, -7);
  RandomEpilogue e(s.n * s.oh * s.ow, s.oc, s.oh * s.ow, y.data());
  const std::vector<float> before = y;
  const auto compare = [&](const char* what, auto&& run, auto&& reference) {
    y = before;
    reference(y.data());
    const std::vector<float> want = y;
    for (int threads : {1, 2, 3}) {
      y = before;
      run(threads, y.data());
      Check(y == want, what + Describe(s, threads, e));
    }
  };
  const auto nchw = ToNchw(s, x);
  compare(
      "integers: ", [&](int n, float* to) { ConvNhwc(n, s, x.data(), packed, e.epilogue, to); },
      [&](float* to) { ConvNhwc(1, s, x.data(), expected, e.epilogue, to); });
  compare(
      "integers, planes: ",
      [&](int n, float* to) { ConvNchwInput(n, s, nchw.data(), packed, e.epilogue, to); },
      [&](float* to) { ConvNchwInput(1, s, nchw.data(), expected, e.epilogue, to); });
  if (s.kh != 3 || s.kw != 3 || s.sh * s.sw * s.dh * s.dw != 1) return;
  for (const int tile : {2, 4})
    Compare(s, Reference(s, x, floats), [&](int threads, const Epilogue& epilogue, float* to) {
      WinogradIntegers(threads, s, x.data(), packed, tile, epilogue, to);
    });
}

MATH_TEST(ConvOfIntegers) {
  for (int i = 0; i < 75; ++i) {
    ConvShape s = RandomShape();
    if (i % 3 == 0) s.kh = s.kw = 3, s.sh = s.sw = s.dh = s.dw = 1;
    s.ic = OneOf<int64_t>({Pick(1, 40), 16, 64, 600});
    s.oc = OneOf<int64_t>({Pick(1, 80), 16, 64});
    if (s.ic == 600) s.n = 1, s.oh = std::min<int64_t>(s.oh, 3);
    RunIntegers(s);
  }
  ConvShape s;  // few tiles of many channels: threads share the products
  s.kh = s.kw = 3, s.pt = s.pl = 1;
  s.ih = s.iw = s.oh = s.ow = 9;
  s.ic = s.oc = 150;
  RunIntegers(s);
}

MATH_TEST(WinogradChoice) {
  ConvShape s;
  s.kh = s.kw = 3;
  s.pt = s.pl = 1;
  s.ic = s.oc = 64;
  Check(TakesWinograd(s), "a 3x3 convolution, for every image size");
  s.ih = s.iw = s.oh = s.ow = 56;
  Check(TakesWinograd(s) && WinogradTile(s) == 4, "a large image takes tiles of 4");
  Check(WinogradKeepsDirect(s) && WinogradPays(s, 4), "and gains");
  s.oc = 63;
  Check(WinogradTile(s) == 2, "few channels keep their digits");
  s.oc = 64;
  s.oh = s.ow = 1;
  Check(!WinogradPays(s, 4), "a single pixel is direct");
  s.ic = s.oc = 512;
  s.oh = s.ow = 2;
  Check(WinogradTile(s) == 2, "the weights are not read for a few large tiles");
  Check(TakesWinograd(s) && !WinogradKeepsDirect(s), "large weights are kept once");
  s.oh = s.ow = 56;
  Check(WinogradTile(s) == 4, "but for many");
  s.sh = 2;
  Check(!TakesWinograd(s), "stride 2 is direct");
  s.sh = 1;
  s.ic = s.oc = 64;
  s.kh = s.kw = 9;
  Check(TakesWinograd(s) && WinogradTile(s) == 4, "a filter of nine parts");
  Check(WinogradSaves(s, 4) == 4 && WinogradSaves(s, 2) == 2.25, "saves as much as each");
  s.ic = 512;
  Check(!TakesWinograd(s), "not of so many channels");
  s.ic = 64;
  s.kh = s.kw = 3;
  s.dh = s.dw = 6;
  Check(TakesWinograd(s) && WinogradPays(s, WinogradTile(s)), "a dilation");
  s.ih = s.iw = s.oh = s.ow = 10;
  Check(!WinogradPays(s, 4), "whose tiles are nearly empty");
  s.kh = 1;
  Check(!TakesWinograd(s), "only two dimensions");
  s.kh = s.kw = 5;
  Check(!TakesWinograd(s), "parts that are not full");
}

MATH_TEST(ConvLarge) {
  for (const int64_t size : {7, 14, 56, 130}) {
    for (const int64_t kernel : {1, 3}) {
      ConvShape s;
      s.ih = s.iw = s.oh = s.ow = size;
      s.kh = s.kw = kernel;
      s.pt = s.pl = kernel / 2;
      s.n = size < 20 ? 5 : 1;
      s.ic = 2000 / size;
      s.oc = 30;
      const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
      const auto w = RandomWeights(s.oc * s.ic * s.kh * s.kw, s.ic * s.kh * s.kw);
      const PackedConv packed = PackConv(w.data(), s.oc, s.ic, s.kh, s.kw, 1, 1, s.n * s.oh * s.ow);
      Compare(s, Reference(s, x, w), [&](int threads, const Epilogue& e, float* y) {
        ConvNhwc(threads, s, x.data(), packed, e, y);
      });
    }
  }
}

MATH_TEST(Depthwise) {
  for (int i = 0; i < 300; ++i) {
    ConvShape s = RandomShape();
    s.groups = s.ic = s.oc = OneOf<int64_t>({Pick(1, 40), Pick(40, 130), Pick(130, 300), 16, 64});
    if (i % 5 == 0) {  // a line
      s.ih = Pick(1, 900), s.iw = s.ow = s.kw = s.sw = 1, s.pl = 0;
      s.oh = std::max<int64_t>(1, (s.ih + 2 * s.pt - (s.kh - 1) * s.dh - 1) / s.sh + Pick(0, 9));
    }
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomFloats(s.oc * s.kh * s.kw);
    const PackedDepthwise packed = PackDepthwise(w.data(), s.ic, s.kh, s.kw);
    Compare(s, Reference(s, x, w), [&](int threads, const Epilogue& e, float* y) {
      DepthwiseNhwc(threads, s, {x.data()}, packed, e, y);
    });
  }
}

MATH_TEST(ConvTransposed) {
  for (int i = 0; i < 200; ++i) {
    ConvShape s;
    s.n = Pick(1, 3);
    s.ih = Pick(1, 12);
    s.iw = Pick(1, 30);
    s.kh = OneOf<int64_t>({1, 2, 2, 3, 4, 5});
    s.kw = Pick(0, 2) == 0 ? Pick(1, 5) : s.kh;
    const bool tiles = Pick(0, 2) == 0;
    s.sh = tiles ? s.kh : Pick(1, 3);
    s.sw = tiles ? s.kw : Pick(1, 3);
    s.dh = tiles ? 1 : OneOf<int64_t>({1, 1, 2, 3});
    s.dw = tiles ? 1 : OneOf<int64_t>({1, 1, 2, 3});
    s.pt = tiles ? 0 : Pick(0, 3);
    s.pl = tiles ? 0 : Pick(0, 3);
    s.groups = tiles ? 1 : OneOf<int64_t>({1, 1, 2, 3});
    s.ic = s.groups * OneOf<int64_t>({Pick(1, 20), Pick(1, 70), Pick(0, 5) == 0 ? 600 : 1});
    s.oc = s.groups * OneOf<int64_t>({Pick(1, 40), Pick(1, 40), Pick(1, 3)});
    if (Pick(0, 19) == 0) s.iw = Pick(150, 400);
    if (i % 5 == 0) s.ih = Pick(1, 700), s.iw = s.kw = s.sw = 1, s.pl = 0;  // a line
    const int64_t cut_h = Pick(0, 3), cut_w = Pick(0, 3);
    s.oh = std::max<int64_t>(
        1, (s.ih - 1) * s.sh - s.pt - cut_h + (s.kh - 1) * s.dh + 1 + Pick(0, s.sh));
    s.ow = std::max<int64_t>(
        1, (s.iw - 1) * s.sw - s.pl - cut_w + (s.kw - 1) * s.dw + 1 + Pick(0, s.sw));
    if (i % 10 == 0) s.ow = 1;
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.ic);
    const auto w = RandomWeights(s.ic * s.oc / s.groups * s.kh * s.kw, s.ic * s.kh * s.kw);
    const PackedConvTranspose packed = PackConvTranspose(w.data(), s);
    Compare(s, TransposeReference(s, x, w), [&](int threads, const Epilogue& e, float* y) {
      ConvTransposeNhwc(threads, s, x.data(), packed, e, y);
    });
  }
}

}  // namespace
}  // namespace paddle::lite::math::test
