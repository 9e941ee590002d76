#pragma once

#include "check.h"
#include "lite/kernels/cpu/math/conv.h"

namespace paddle::lite::math::test {

// Groups, strides, dilations and paddings of small convolutions.
inline ConvShape RandomGroupedConv() {
  ConvShape s;
  s.n = Pick(1, 3);
  s.groups = OneOf<int64_t>({1, 1, 1, 2, 3, 8});
  s.ic = s.groups * Pick(1, 9);
  s.oc = s.groups * Pick(1, 20);
  s.kh = Pick(1, 4), s.kw = Pick(1, 4);
  s.sh = Pick(1, 3), s.sw = Pick(1, 3);
  s.dh = Pick(1, 2), s.dw = Pick(1, 2);
  s.pt = Pick(0, 3), s.pl = Pick(0, 3);
  s.ih = Pick(1, 14), s.iw = Pick(1, 14);
  // Any number of rows and columns at the bottom and right are padding.
  s.oh = Pick(1, (s.ih + s.pt) / s.sh + 2), s.ow = Pick(1, (s.iw + s.pl) / s.sw + 2);
  return s;
}

// One whose integers are multiplied in patches where bytes have no dot products.
inline ConvShape RandomPatches() {
  ConvShape s;
  s.n = Pick(1, 3), s.ic = Pick(16, 90), s.oc = Pick(16, 90);
  s.kh = s.kw = 3;
  s.pt = Pick(0, 2), s.pl = Pick(0, 2);
  s.ih = Pick(1, 20), s.iw = Pick(1, 20);
  s.oh = Pick(1, s.ih + s.pt), s.ow = Pick(1, s.iw + s.pl);
  return s;
}

// Taps so far apart that many of them read padding only.
inline ConvShape RandomFarTaps() {
  ConvShape s;
  s.n = Pick(1, 2);
  s.ih = Pick(1, 14), s.iw = Pick(1, 14);
  s.kh = OneOf<int64_t>({2, 3, 3, 5}), s.kw = OneOf<int64_t>({1, 3, 3, 4});
  s.dh = Pick(5, 30), s.dw = OneOf<int64_t>({1, s.dh, s.dh, Pick(2, 30)});
  s.sh = OneOf<int64_t>({1, 1, 2}), s.sw = OneOf<int64_t>({1, 1, 3});
  s.pt = Pick(0, (s.kh - 1) * s.dh + 2), s.pl = Pick(0, (s.kw - 1) * s.dw + 2);
  s.oh = Pick(1, 14), s.ow = Pick(1, 20);
  s.groups = OneOf<int64_t>({1, 1, 1, 2, 4});
  s.ic = s.groups * OneOf<int64_t>({Pick(1, 90), Pick(60, 200)});
  s.oc = s.groups * Pick(1, 50);
  return s;
}

inline std::string DescribeConv(const ConvShape& s) {
  std::string text = "n,ih,iw,ic,oh,ow,oc,kh,kw,sh,sw,pt,pl,dh,dw,groups";
  for (const int64_t v : {s.n, s.ih, s.iw, s.ic, s.oh, s.ow, s.oc, s.kh, s.kw, s.sh, s.sw, s.pt,
                          s.pl, s.dh, s.dw, s.groups})
    text += " " + std::to_string(v);
  return text;
}

// The sums of a convolution; product(i, j) is that of x[i] and the weight j. x is NHWC, or NCHW,
// weights OIHW.
template <typename Product>
std::vector<double> ConvSums(const ConvShape& s, bool nchw, const Product& product) {
  std::vector<double> y(s.n * s.oh * s.ow * s.oc);
  const int64_t gi = s.ic / s.groups, go = s.oc / s.groups;
  for (int64_t p = 0; p < s.n * s.oh * s.ow; ++p) {
    const int64_t image = p / (s.oh * s.ow), oy = p / s.ow % s.oh, ox = p % s.ow;
    for (int64_t o = 0; o < s.oc; ++o) {
      double sum = 0;
      for (int64_t ky = 0; ky < s.kh; ++ky)
        for (int64_t kx = 0; kx < s.kw; ++kx) {
          const int64_t iy = oy * s.sh - s.pt + ky * s.dh, ix = ox * s.sw - s.pl + kx * s.dw;
          if (iy < 0 || iy >= s.ih || ix < 0 || ix >= s.iw) continue;
          for (int64_t i = 0; i < gi; ++i) {
            const int64_t c = o / go * gi + i;
            const int64_t at = nchw ? ((image * s.ic + c) * s.ih + iy) * s.iw + ix
                                    : ((image * s.ih + iy) * s.iw + ix) * s.XPixel() + c;
            sum += product(at, ((o * gi + i) * s.kh + ky) * s.kw + kx);
          }
        }
      y[p * s.oc + o] = sum;
    }
  }
  return y;
}

}  // namespace paddle::lite::math::test
