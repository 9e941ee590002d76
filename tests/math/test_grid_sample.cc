#include <limits>

#include "check.h"
#include "lite/kernels/cpu/math/grid_sample.h"

namespace paddle::lite::math::test {
namespace {

struct Expected {
  bool inside;
  double value;
};

double Position(const GridImage& g, float at, int64_t size) {
  const double position = g.align_corners ? (double(at) + 1) / 2 * double(size - 1)
                                          : ((double(at) + 1) * double(size) - 1) / 2;
  return g.border ? std::min(std::max(position, 0.0), double(size - 1)) : position;
}

Expected Reference(const GridImage& g, const std::vector<float>& plane, const float* point) {
  const double x = Position(g, point[0], g.width), y = Position(g, point[1], g.height);
  if (!(x >= 0 && y >= 0 && x < double(g.width - 1) && y < double(g.height - 1))) return {false, 0};
  const auto ix = static_cast<int64_t>(x), iy = static_cast<int64_t>(y);
  const double dx = x - double(ix), dy = y - double(iy);
  const float* at = plane.data() + iy * g.width + ix;
  return {true, (1 - dy) * ((1 - dx) * at[0] + dx * at[1]) +
                    dy * ((1 - dx) * at[g.width] + dx * at[g.width + 1])};
}

MATH_TEST(GridSample) {
  for (int i = 0; i < 300; ++i) {
    const GridImage g{Pick(2, 40), Pick(2, 40), Pick(0, 1) == 1, Pick(0, 1) == 1};
    const auto plane = RandomFloats(g.height * g.width);
    const int64_t count = Pick(1, GridTaps::kMost);
    auto points = RandomFloats(2 * count, -1.3f, 1.3f);
    if (count > 3) {
      points[1] = std::numeric_limits<float>::quiet_NaN();
      points[2] = std::numeric_limits<float>::infinity();
      points[4] = -3e38f;
    }
    GridTaps taps;
    FindTaps(g, points.data(), count, &taps);
    std::vector<float> got(count);
    SampleTaps(g, plane.data(), taps, count, got.data());
    std::vector<double> expected;
    for (int64_t p = 0; p < count; ++p) {
      const Expected wanted = Reference(g, plane, points.data() + 2 * p);
      const bool inside = taps.place[p] == GridTaps::kInside;
      // Which side of the last pixel a point is on may be a matter of rounding: then both are
      // right.
      expected.push_back(inside && wanted.inside ? wanted.value : got[p]);
      if (inside == wanted.inside) continue;
      const double x = Position(g, points[2 * p], g.width);
      const double y = Position(g, points[2 * p + 1], g.height);
      const auto at_edge = [](double v, int64_t size) {
        return std::abs(v) < 1e-4 || std::abs(v - double(size - 1)) < 1e-4;
      };
      Check(at_edge(x, g.width) || at_edge(y, g.height), "grid sample: which points are inside");
    }
    CheckClose(got, expected, "grid sample " + std::to_string(i), 1e-4);
  }
}

}  // namespace
}  // namespace paddle::lite::math::test
