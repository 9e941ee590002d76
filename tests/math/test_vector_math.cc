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

// Beside doubles, relative to the result.
MATH_TEST(VectorMathExponentials) {
  std::vector<float> x = Numbers();
  for (float v : RandomFloats(5000, -1e-3f, 1e-3f)) x.push_back(v);
  struct Function {
    VectorFunction function;
    float a, b;
    double (*expected)(double);
  };
  const Function functions[] = {
      {VectorFunction::kExpm1, 0, 0, [](double v) { return std::expm1(v); }},
      {VectorFunction::kSoftplus, -1, 20,  // logsigmoid
       [](double v) { return std::min(v, 0.0) - std::log1p(std::exp(-std::abs(v))); }},
      {VectorFunction::kScaledTanh, 0.75f, 1.5f,
       [](double v) { return 1.5 * std::tanh(0.75 * v); }}};
  for (const auto& [function, a, b, expected] : functions) {
    std::vector<float> y(x.size());
    RunVector(function, static_cast<int64_t>(x.size()), x.data(), y.data(), a, b, 1);
    for (size_t i = 0; i < x.size(); ++i) {
      const double e = expected(x[i]);
      const bool finite = std::abs(e) <= 3.4e38;
      constexpr double kDenormal = 1e-37;
      const bool same = std::isnan(e) ? std::isnan(y[i])
                        : finite      ? std::abs(e - y[i]) <= 1e-6 * std::abs(e) + kDenormal
                                      : std::isinf(y[i]) && (y[i] > 0) == (e > 0);
      Check(same, "function " + std::to_string(static_cast<int>(function)) + " of " +
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
