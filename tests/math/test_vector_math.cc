#include "check.h"
#include "lite/kernels/cpu/math/vector_math.h"

namespace paddle::lite::math::test {
namespace {

std::vector<float> Run(VectorFunction function, std::vector<float> x) {
  RunVector(function, static_cast<int64_t>(x.size()), x.data(), x.data(), 0, 0, 1);
  return x;
}

// Numbers with and without a fraction, large and small ones, and what is none.
std::vector<float> Numbers() {
  std::vector<float> x = {0.0f,       -0.0f,       0.5f,       -0.5f,       1.5f,
                          -1.5f,      2.5f,        -2.5f,      0.49999997f, -0.49999997f,
                          8388607.5f, -8388607.5f, 8388609.0f, 4194303.5f,  INFINITY,
                          -INFINITY,  NAN,         1e30f,      -1e30f,      1e-40f,
                          8192.0f,    8192.5f,     -8193.0f,   123456.0f,   3e9f};
  for (float v : RandomFloats(20000, -10, 10)) x.push_back(v);
  for (float v : RandomFloats(20000, -9000, 9000)) x.push_back(v);
  return x;
}

MATH_TEST(VectorMathRounding) {
  const std::vector<float> x = Numbers();
  const std::pair<VectorFunction, float (*)(float)> functions[] = {
      {VectorFunction::kFloor, [](float v) { return std::floor(v); }},
      {VectorFunction::kCeil, [](float v) { return std::ceil(v); }},
      {VectorFunction::kRound, [](float v) { return std::round(v); }},
      {VectorFunction::kRint, [](float v) { return std::nearbyint(v); }},
      {VectorFunction::kTrunc, [](float v) { return std::trunc(v); }}};
  for (const auto& [function, expected] : functions) {
    const std::vector<float> y = Run(function, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const float e = expected(x[i]);
      const bool same =
          std::isnan(e) ? std::isnan(y[i]) : e == y[i] && std::signbit(e) == std::signbit(y[i]);
      Check(same, "rounding " + std::to_string(static_cast<int>(function)) + " of " +
                      std::to_string(x[i]) + " is " + std::to_string(y[i]));
    }
  }
}

MATH_TEST(VectorMathTrigonometry) {
  const std::vector<float> x = Numbers();
  const std::pair<VectorFunction, double (*)(double)> functions[] = {
      {VectorFunction::kSin, [](double v) { return std::sin(v); }},
      {VectorFunction::kCos, [](double v) { return std::cos(v); }},
      {VectorFunction::kAtan, [](double v) { return std::atan(v); }}};
  for (const auto& [function, expected] : functions) {
    const std::vector<float> y = Run(function, x);
    for (size_t i = 0; i < x.size(); ++i) {
      const double e = expected(x[i]);
      const bool same = std::isnan(e) ? std::isnan(y[i]) : std::abs(e - y[i]) <= 2e-7;
      Check(same, "function " + std::to_string(static_cast<int>(function)) + " of " +
                      std::to_string(x[i]) + " is " + std::to_string(y[i]));
    }
  }
}

}  // namespace
}  // namespace paddle::lite::math::test
