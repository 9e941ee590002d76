// Modified Bessel functions of the first kind, of order 0 and 1: i0, i1, and times exp(-|x|): i0e,
// i1e. Abramowitz and Stegun, 9.6.10 and 9.7.1. Slots x -> out.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

constexpr double kPi = 3.14159265358979323846;
// From here on the asymptotic expansion is exact to the last bit of a double.
constexpr double kFar = 30;

// I_order(x) for 0 <= x < kFar: a series of positive terms.
double Near(int order, double x) {
  const double quarter = x * x / 4;
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; term > sum * 1e-17; ++k) {
    term *= quarter / (static_cast<double>(k) * (k + order));
    sum += term;
  }
  return sum;
}

// I_order(x) * exp(-x) for x >= kFar.
double FarScaled(int order, double x) {
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2.0 * k - 1;
    term *= (odd * odd - mu) / (k * 8 * x);
    sum += term;
  }
  return sum / (std::sqrt(2 * kPi) * std::sqrt(x));
}

double Bessel(int order, bool scaled, double x) {
  if (std::isnan(x)) return x;
  const double a = std::abs(x);
  double value;
  if (a < kFar)
    value = Near(order, a) * (scaled ? std::exp(-a) : 1);
  else if (scaled)
    value = FarScaled(order, a);
  else
    value = std::isinf(a) ? a : FarScaled(order, a) * std::exp(a / 2) * std::exp(a / 2);
  return order == 1 && x < 0 ? -value : value;
}

template <int kOrder, bool kScaled>
void RunBessel(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return static_cast<T>(Bessel(kOrder, kScaled, v)); });
  });
}

void RunI0(KernelContext& c) { RunBessel<0, false>(c); }
void RunI0e(KernelContext& c) { RunBessel<0, true>(c); }
void RunI1(KernelContext& c) { RunBessel<1, false>(c); }
void RunI1e(KernelContext& c) { RunBessel<1, true>(c); }

REGISTER_LITE_OP(i0).Input("x").Output("out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(i0, kHost, kAny, kAny, RunI0, def);
REGISTER_LITE_OP(i0e).Input("x").Output("out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(i0e, kHost, kAny, kAny, RunI0e, def);
REGISTER_LITE_OP(i1).Input("x").Output("out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(i1, kHost, kAny, kAny, RunI1, def);
REGISTER_LITE_OP(i1e).Input("x").Output("out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(i1e, kHost, kAny, kAny, RunI1e, def);

}  // namespace
}  // namespace paddle::lite
