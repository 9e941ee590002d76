#include "check.h"

namespace paddle::lite::math::test {
namespace {

std::vector<float> Run(const Activation& act, const std::vector<float>& x) {
  EpilogueStep step;
  step.act = act;
  std::vector<float> y(x.size());
  const auto count = static_cast<int64_t>(x.size());
  RunSteps(1, count, x.data(), count, y.data(), count, &step, 1, 0);
  return y;
}

// Errors relative to each value; subnormal results to within one step.
void CheckRelative(Act kind, float low, float high, double tolerance, float a = 1) {
  const Activation act = {kind, a, 0, 0};
  std::vector<float> x = RandomFloats(200001, low, high);
  for (int i = 0; i < 200; ++i) x.push_back(std::ldexp(i % 2 ? 1.0f : -1.0f, -i));
  const std::vector<float> y = Run(act, x);
  double worst = 0;
  float at = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] < low || x[i] > high) continue;
    const double expected = Activate(act, x[i]);
    const double error =
        std::abs(y[i] - expected) / std::max(std::abs(expected), 1.2e-38) - 1.5e-45 / 1.2e-38;
    if (error > worst || std::isnan(y[i])) {
      worst = std::isnan(y[i]) ? 1e9 : error;
      at = x[i];
    }
  }
  Check(worst <= tolerance, "activation " + std::to_string(static_cast<int>(kind)) + " error " +
                                std::to_string(worst * 1e7) + "e-7 at " + std::to_string(at));
}

MATH_TEST(VectorMathError) {
#if defined(__FMA__) || !defined(__x86_64__)
  const double tolerance = 2e-7;
#else
  // This file is compiled without FMA, the vector code may be too.
  const double tolerance = 2.5e-7;
#endif
  CheckRelative(Act::kExp, -103, 88.7f, tolerance);
  CheckRelative(Act::kExp, -1, 1, tolerance);
  CheckRelative(Act::kTanh, -10, 10, tolerance);
  CheckRelative(Act::kTanh, -1, 1, tolerance);
  CheckRelative(Act::kErf, -5, 5, tolerance);
  CheckRelative(Act::kErf, -1.2f, 1.2f, tolerance);
  CheckRelative(Act::kSigmoid, -87, 87, tolerance);
  CheckRelative(Act::kSigmoid, -5, 5, tolerance);
}

// x times a share of 1, which is exact to a part of 1.
MATH_TEST(GatesAgainstDoubles) {
  for (const Activation& act :
       {Activation{Act::kGelu, 0, 0, 0}, Activation{Act::kGeluTanh, 0, 0, 0},
        Activation{Act::kSwish, 1, 0, 0}, Activation{Act::kSwish, 1.702f, 0, 0},
        Activation{Act::kSwish, -0.3f, 0, 0}}) {
    std::vector<float> x = RandomFloats(100001, -90, 90);
    for (float value = -24; value < 24; value += 1.0f / 4096) x.push_back(value);
    const std::vector<float> y = Run(act, x);
    double worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double size = std::max(1e-30, std::abs(static_cast<double>(x[i])));
      const double error = std::abs(y[i] - Activate(act, x[i])) / size;
      worst = std::max(worst, std::isnan(error) ? 1e9 : error);
    }
    Check(worst < 3.5e-7, "activation " + std::to_string(static_cast<int>(act.kind)) +
                              " is within 3.5e-7 of |x|, is " + std::to_string(worst * 1e7) +
                              "e-7");
  }
}

MATH_TEST(VectorMathEnds) {
  const float inf = INFINITY, nan = NAN;
  const std::vector<float> x = {-inf,  -1e30f, -200, -104,   0.0f,    -0.0f, 89, 104,
                                1e30f, inf,    nan,  1e-40f, -1e-40f, -88,   88};
  for (Act kind : {Act::kExp, Act::kTanh, Act::kErf, Act::kSigmoid, Act::kRelu, Act::kAbs,
                   Act::kSquare, Act::kElu}) {
    const Activation act = {kind, 1, 0, 0};
    const std::vector<float> y = Run(act, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const auto expected = static_cast<float>(Activate(act, x[i]));
      const bool same = std::isnan(expected) ? std::isnan(y[i])
                        : std::isinf(expected)
                            ? y[i] == expected
                            : std::abs(y[i] - expected) <= std::abs(expected) * 3e-7 + 1e-38;
      Check(same, "activation " + std::to_string(static_cast<int>(kind)) + " of " +
                      std::to_string(x[i]) + " is " + std::to_string(y[i]));
    }
  }
}

MATH_TEST(NanStays) {
  const std::vector<float> x(37, NAN);
  for (int kind = 0; kind <= static_cast<int>(Act::kSteps); ++kind) {
    const Activation act = {static_cast<Act>(kind), 1, 6, 3};
    for (float y : Run(act, x)) Check(std::isnan(y), "NaN of activation " + std::to_string(kind));
  }
}

MATH_TEST(StepsOfAScale) {
  for (int i = 0; i < 200; ++i) {
    const float scale =
        std::ldexp(static_cast<float>(Pick(1 << 23, (1 << 24) - 1)),
                   static_cast<int>(OneOf<int64_t>({Pick(-53, -20), Pick(-140, 80)})));
    const auto lowest = static_cast<float>(Pick(-65535, 0));
    const Activation act = {Act::kSteps, scale, lowest,
                            lowest + static_cast<float>(Pick(0, 65535))};
    std::vector<float> x = {INFINITY, -INFINITY, 0.0f, -0.0f, 3e38f, 1e-40f};
    for (int k = 0; k < 100; ++k) {  // halves and what lies beside them
      const float half = (static_cast<float>(Pick(-70000, 70000)) + 0.5f) * scale;
      x.push_back(
          OneOf<float>({half, std::nextafter(half, INFINITY), std::nextafter(half, -INFINITY)}));
    }
    for (float v : RandomFloats(100)) x.push_back(v * 1000 * scale);
    const std::vector<float> y = Run(act, x);
    for (size_t k = 0; k < x.size(); ++k)
      Check(y[k] == static_cast<float>(Activate(act, x[k])),
            "steps of " + std::to_string(scale) + " of " + std::to_string(x[k] / scale) + " are " +
                std::to_string(y[k] / scale));
  }
}

MATH_TEST(Steps) {
  for (int i = 0; i < 500; ++i) {
    const int64_t rows = Pick(0, 30);
    const int64_t columns = OneOf<int64_t>({Pick(1, 40), Pick(1, 40), Pick(1000, 5000)});
    std::vector<float> y(rows * columns);
    const int64_t per_image = OneOf<int64_t>({0, 1, 5, 30});
    RandomEpilogue e(rows, columns, per_image, y.data());
    // RunSteps alone knows no bias and no first activation.
    e.epilogue.bias = nullptr;
    e.epilogue.act = Activation();
    const auto x = RandomFloats(rows * columns);
    std::vector<double> expected(x.begin(), x.end());
    e.Apply(&expected);
    std::vector<float> in_place = x;
    RunSteps(rows, columns, x.data(), columns, y.data(), columns, e.steps.data(),
             static_cast<int>(e.steps.size()), per_image);
    CheckClose(y, expected, "steps" + e.Describe());
    if (e.residual.empty()) {
      RunSteps(rows, columns, in_place.data(), columns, in_place.data(), columns, e.steps.data(),
               static_cast<int>(e.steps.size()), per_image);
      CheckClose(in_place, expected, "steps in place" + e.Describe());
    }
  }
}

}  // namespace
}  // namespace paddle::lite::math::test
