#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "lite/kernels/cpu/math/epilogue.h"

namespace paddle::lite::math::test {

// Failures so far; main() returns whether there were any.
inline int failures = 0;
inline int checks = 0;

inline void Check(bool condition, const std::string& what) {
  ++checks;
  if (condition) return;
  ++failures;
  if (failures < 50) std::fprintf(stderr, "FAILED: %s\n", what.c_str());
}

struct Case {
  const char* name;
  void (*run)();
};
std::vector<Case>& Cases();

struct Register {
  Register(const char* name, void (*run)()) { Cases().push_back({name, run}); }
};

#define MATH_TEST(name)                               \
  static void name();                                 \
  static const Register register_##name(#name, name); \
  static void name()

std::mt19937& Random();
int64_t Pick(int64_t low, int64_t high);  // inclusive
template <typename T>
T OneOf(std::initializer_list<T> values) {
  return *(values.begin() + Pick(0, static_cast<int64_t>(values.size()) - 1));
}
std::vector<float> RandomFloats(int64_t count, float low = -1, float high = 1);

// Largest difference relative to the largest expected value, 1 at least; NaN and inf agree exactly.
double RelativeError(const std::vector<float>& got, const std::vector<double>& expected);
void CheckClose(const std::vector<float>& got, const std::vector<double>& expected,
                const std::string& what, double tolerance = 1e-5);

double Activate(const Activation& act, double x);

// A random epilogue for a result of rows x columns, with its operands.
struct RandomEpilogue {
  // With `allow_alias`, a step's operand may be the result itself: then `alias` holds what it holds
  // beforehand.
  RandomEpilogue(int64_t rows, int64_t columns, int64_t rows_per_image, float* result);

  void Apply(std::vector<double>* values) const;  // of rows x columns
  std::string Describe() const;

  int64_t rows, columns;
  Epilogue epilogue;
  std::vector<float> bias, residual;
  std::vector<std::vector<float>> operands;
  std::vector<EpilogueStep> steps;
};

}  // namespace paddle::lite::math::test
