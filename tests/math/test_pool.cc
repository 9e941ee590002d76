#include <cfloat>

#include "check.h"
#include "lite/kernels/cpu/math/pool.h"

namespace paddle::lite::math::test {
namespace {

struct Range {
  int64_t begin, end, size;
};

Range Window(const PoolShape& s, int64_t o, bool vertical) {
  const int64_t in = vertical ? s.ih : s.iw, out = vertical ? s.oh : s.ow;
  if (s.adaptive) {
    const auto begin = static_cast<int64_t>(std::floor(double(o) * double(in) / double(out)));
    const auto end = static_cast<int64_t>(std::ceil(double(o + 1) * double(in) / double(out)));
    return {begin, end, end - begin};
  }
  const int64_t pad = vertical ? s.pt : s.pl;
  const int64_t begin = o * (vertical ? s.sh : s.sw) - pad;
  const int64_t end = std::min(begin + (vertical ? s.kh : s.kw), in + pad);
  return {std::max<int64_t>(begin, 0), std::min(end, in), end - begin};
}

enum Kind { kMax, kExclusive, kInclusive };

std::vector<double> Reference(const PoolShape& s, Kind kind, const std::vector<float>& x) {
  std::vector<double> y;
  for (int64_t p = 0; p < s.n * s.oh * s.ow; ++p) {
    const Range h = Window(s, p / s.ow % s.oh, true), w = Window(s, p % s.ow, false);
    for (int64_t c = 0; c < s.c; ++c) {
      double sum = 0, most = -FLT_MAX;
      int64_t count = 0;
      for (int64_t iy = h.begin; iy < h.end; ++iy) {
        for (int64_t ix = w.begin; ix < w.end; ++ix) {
          const double v = x[((p / (s.oh * s.ow) * s.ih + iy) * s.iw + ix) * s.c + c];
          sum += v;
          most = std::max(most, v);
          ++count;
        }
      }
      const int64_t by = kind == kInclusive && !s.adaptive ? h.size * w.size : count;
      y.push_back(kind == kMax ? most : count == 0 ? 0 : sum / double(by));
    }
  }
  return y;
}

MATH_TEST(Pool) {
  for (int i = 0; i < 300; ++i) {
    PoolShape s;
    s.n = Pick(1, 3);
    s.ih = Pick(1, 20);
    s.iw = Pick(1, 30);
    s.c = OneOf<int64_t>({Pick(1, 20), Pick(20, 100)});
    s.kh = Pick(1, 5);
    s.kw = Pick(1, 5);
    s.sh = Pick(1, 3);
    s.sw = Pick(1, 3);
    s.pt = Pick(0, s.kh);
    s.pl = Pick(0, s.kw);
    s.adaptive = Pick(0, 3) == 0;
    s.oh = s.adaptive ? Pick(1, 9)
                      : std::max<int64_t>(1, (s.ih + 2 * s.pt - s.kh) / s.sh + Pick(1, 2));
    s.ow = s.adaptive ? Pick(1, 9)
                      : std::max<int64_t>(1, (s.iw + 2 * s.pl - s.kw) / s.sw + Pick(1, 2));
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.c);
    for (int threads : {1, 2, 3}) {
      std::vector<float> y(s.n * s.oh * s.ow * s.c);
      const std::string what = "pool " + std::to_string(i);
      MaxPoolNhwc(threads, s, x.data(), y.data());
      CheckClose(y, Reference(s, kMax, x), what + " max", 0);
      AvgPoolNhwc(threads, s, true, x.data(), y.data());
      CheckClose(y, Reference(s, kExclusive, x), what + " exclusive");
      AvgPoolNhwc(threads, s, false, x.data(), y.data());
      CheckClose(y, Reference(s, kInclusive, x), what + " inclusive");
    }
  }
}

MATH_TEST(PoolOfBytes) {
  for (int i = 0; i < 300; ++i) {
    PoolShape s;
    s.n = Pick(1, 2), s.ih = Pick(3, 12), s.iw = Pick(3, 12);
    s.c = OneOf<int64_t>({Pick(1, 40), Pick(40, 150)});
    s.kh = Pick(1, 3), s.kw = Pick(1, 3), s.sh = Pick(1, 2), s.sw = Pick(1, 2);
    s.pt = Pick(0, s.kh - 1), s.pl = Pick(0, s.kw - 1);
    s.oh = (s.ih + s.pt - s.kh) / s.sh + 1, s.ow = (s.iw + s.pl - s.kw) / s.sw + 1;
    std::vector<float> x(s.n * s.ih * s.iw * s.c);
    for (float& v : x) v = static_cast<float>(Pick(0, 255));
    const std::vector<uint8_t> bytes(x.begin(), x.end());
    for (int threads : {1, 3}) {
      std::vector<uint8_t> y(s.n * s.oh * s.ow * s.c);
      MaxPoolNhwc(threads, s, bytes.data(), y.data());
      CheckClose(std::vector<float>(y.begin(), y.end()), Reference(s, kMax, x), "bytes", 0);
    }
  }
}

MATH_TEST(GlobalPool) {
  for (int i = 0; i < 100; ++i) {
    PoolShape s;
    s.n = Pick(1, 3);
    s.ih = s.kh = Pick(1, 40);
    s.iw = s.kw = Pick(1, 40);
    s.c = OneOf<int64_t>({Pick(1, 20), Pick(20, 300)});
    const auto x = RandomFloats(s.n * s.ih * s.iw * s.c);
    for (int threads : {1, 2, 3}) {
      std::vector<float> y(s.n * s.c);
      GlobalMaxPoolNhwc(threads, s, x.data(), y.data());
      CheckClose(y, Reference(s, kMax, x), "global max", 0);
      GlobalAvgPoolNhwc(threads, s, x.data(), y.data());
      CheckClose(y, Reference(s, kExclusive, x), "global average");
    }
  }
}

}  // namespace
}  // namespace paddle::lite::math::test
