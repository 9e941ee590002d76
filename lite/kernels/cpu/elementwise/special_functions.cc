#include "lite/kernels/cpu/elementwise/elementwise.h"

namespace paddle::lite {
namespace {

// The logarithm of the gamma function and its derivatives, and the incomplete gamma function.
// Abramowitz and Stegun, 6.3, 6.4 and 6.5.
constexpr double kGammaPi = 3.14159265358979323846;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Bernoulli's numbers B2, B4, ...
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30,      1.0 / 42, -1.0 / 30,
                                 5.0 / 66,      -691.0 / 2730,  7.0 / 6,  -3617.0 / 510,
                                 43867.0 / 798, -174611.0 / 330};

bool IsPole(double x) { return x <= 0 && x == std::floor(x); }

double LogGamma(double x) {
#if defined(_WIN32)
  return std::lgamma(x);
#else
  int sign = 0;
  return lgamma_r(x, &sign);  // std::lgamma writes a global variable
#endif
}

// 1 / tan(pi x), exact in the period.
double CotPi(double x) {
  const double r = x - std::round(x);
  return std::cos(kGammaPi * r) / std::sin(kGammaPi * r);
}

double Digamma(double x) {
  if (std::isnan(x) || x == kInfinity) return x;
  if (IsPole(x) || x == -kInfinity) return kNan;
  if (x < 0) return Digamma(1 - x) - kGammaPi * CotPi(x);
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;
  sum += std::log(x) - 0.5 / x;
  double power = 1;
  for (int k = 1; k <= 10; ++k) {
    power /= x * x;
    sum -= kBernoulli[k - 1] / (2 * k) * power;
  }
  return sum;
}

// n! * zeta(n + 1, x) for n >= 1 and x > 0, by Euler and Maclaurin.
double HurwitzTimesFactorial(int n, double x) {
  const double factorial = LogGamma(n + 1.0);
  const auto power = [&](double at, double exponent) {
    return std::exp(factorial - exponent * std::log(at));
  };
  double sum = 0;
  for (const double end = std::max<double>(10, n); x < end; ++x) {
    const double term = power(x, n + 1.0);
    sum += term;
    if (std::isinf(sum) || term <= sum * 1e-18) return sum;  // or all terms vanish
  }
  const double last = power(x, n + 1.0);
  sum += power(x, n) / n + last / 2;
  double rising = last * (n + 1.0) / x, fraction = 2;  // (n + 1)(n + 2).. / x^k, and k!
  for (int k = 1; k <= 10; ++k) {
    sum += kBernoulli[k - 1] / fraction * rising;
    rising *= (n + 2.0 * k) / x * ((n + 2.0 * k + 1) / x);
    fraction *= (2.0 * k + 1) * (2.0 * k + 2);
  }
  return sum;
}

// The n-th derivative of Digamma, n >= 0.
double Polygamma(int n, double x) {
  if (n == 0) return Digamma(x);
  if (std::isnan(x)) return x;
  const double sign = n % 2 == 0 ? -1 : 1;
  if (IsPole(x)) return sign * kInfinity;
  if (x == kInfinity) return -sign * 0.0;
  if (x > 0) return sign * HurwitzTimesFactorial(n, x);
  // The terms of the sum (x + k)^-(n + 1) below zero are those of a sum that ends at 1 - x.
  const double count = std::ceil(-x), below = -(x + (count - 1)), above = x + count;
  return sign * (HurwitzTimesFactorial(n, above) +
                 sign * (HurwitzTimesFactorial(n, below) - HurwitzTimesFactorial(n, 1 - x)));
}

// The incomplete gamma function Q(a, x) for large a, where neither series nor fraction end soon
// (Temme's expansion, its first two terms; what is left out is below 1e-10).
double IncompleteOfLarge(double a, double x) {
  const double mu = (x - a) / a;
  // eta^2 / 2 = mu - log(1 + mu)
  const double half =
      std::abs(mu) < 1e-3 ? mu * mu * (0.5 - mu * (1.0 / 3 - mu / 4)) : mu - std::log1p(mu);
  const double eta = std::copysign(std::sqrt(2 * half), mu);
  const double correction =
      std::abs(eta) < 1e-2 ? -1.0 / 3 + eta / 12 - 2 * eta * eta / 135 : 1 / mu - 1 / eta;
  return 0.5 * std::erfc(eta * std::sqrt(a / 2)) +
         std::exp(-a * half) / std::sqrt(2 * kGammaPi * a) * correction;
}

// Q(a, x); 1 where a or x is not positive, as in Paddle.
double UpperIncomplete(double a, double x) {
  if (std::isnan(a) || std::isnan(x)) return kNan;
  if (a <= 0 || x <= 0) return 1;
  if (std::isinf(a)) return std::isinf(x) ? kNan : 1;
  if (std::isinf(x)) return 0;
  if (a > 1e5) return IncompleteOfLarge(a, x);
  const double front = std::exp(a * std::log(x) - x - LogGamma(a + 1));
  if (x < a + 1) {  // a series for 1 - Q
    double term = 1, sum = 1;
    for (double k = a + 1; term > sum * 1e-17; ++k) {
      term *= x / k;
      sum += term;
    }
    return std::max(0.0, 1 - front * sum);
  }
  // Lentz's way through the continued fraction 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - ...)).
  double b = x + 1 - a, c = 1 / std::numeric_limits<double>::min(), d = 1 / b, h = d;
  for (int k = 1; k < 100000; ++k) {
    const double step = -k * (k - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    h *= d * c;
    if (std::abs(d * c - 1) < 1e-16) break;
  }
  return front * a * h;
}

template <typename Fn>
void RunGammaFloat(KernelContext& c, Fn fn) {
  ForTypes<float, double>(c, c.Input(FirstInput(c.op())).dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [&](T v) { return static_cast<T>(fn(static_cast<double>(v))); });
  });
}

void RunLogGamma(KernelContext& c) { RunGammaFloat(c, LogGamma); }
void RunDigamma(KernelContext& c) { RunGammaFloat(c, Digamma); }

void InferPolygamma(InferContext& c) {
  c.Require(c.Attr<int>("n") >= 0, "attribute n is ", c.Attr<int>("n"), ", expected at least 0");
  InferFloatUnary()(c);
}

void RunPolygamma(KernelContext& c) {
  const int n = c.Attr<int>("n");
  RunGammaFloat(c, [n](double x) { return Polygamma(n, x); });
}

void RunGammaincc(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyBroadcast<T, T>(c, [](T a, T x) { return static_cast<T>(UpperIncomplete(a, x)); });
  });
}

REGISTER_LITE_OP(digamma).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(digamma, kHost, kAny, kAny, RunDigamma, def);
REGISTER_LITE_OP(lgamma).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(lgamma, kHost, kAny, kAny, RunLogGamma, def);
REGISTER_LITE_OP(gammaln).Input("x").Output("out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(gammaln, kHost, kAny, kAny, RunLogGamma, def);
REGISTER_LITE_OP(polygamma).Input("x").Output("out").RequiredAttr<int>("n").InferShape(
    InferPolygamma);
REGISTER_LITE_FUNCTION(polygamma, kHost, kAny, kAny, RunPolygamma, def);
REGISTER_LITE_OP(gammaincc).Input("x").Input("y").Output("out").InferShape(
    InferBinaryOf({DataType::kFP32, DataType::kFP64}));
REGISTER_LITE_FUNCTION(gammaincc, kHost, kAny, kNCHW, RunGammaincc, def);

// Modified Bessel functions of the first kind, of order 0 and 1: i0, i1, and times exp(-|x|): i0e,
// i1e. Abramowitz and Stegun, 9.6.10 and 9.7.1. Slots x -> out.
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

// The inverse of erf: Winitzki's estimate, then Halley's steps. Outside of [-1, 1] the result is
// infinite, as in Paddle.
double InverseErf(double x) {
  if (std::isnan(x)) return x;
  const double a = std::abs(x), infinity = std::numeric_limits<double>::infinity();
  if (a >= 1) return std::copysign(infinity, x);
  if (a == 0) return x;
  constexpr double kShape = 0.147, kPi = 3.14159265358979323846;
  const double log = std::log1p(-a * a);
  const double half = 2 / (kPi * kShape) + log / 2;
  double y = std::sqrt(std::sqrt(half * half - log / kShape) - half);
  if (a < 1e-4) y = a * std::sqrt(kPi) / 2;  // the difference above has no digits left
  for (int i = 0; i < 3; ++i) {
    // 1 - a is exact where erf has no digits left.
    const double error = a < 0.5 ? std::erf(y) - a : (1 - a) - std::erfc(y);
    const double step = error / (2 / std::sqrt(kPi) * std::exp(-y * y));
    y -= step / (1 + y * step);
  }
  return std::copysign(y, x);
}

void RunErfinv(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return static_cast<T>(InverseErf(v)); });
  });
}

REGISTER_LITE_OP(erfinv).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(erfinv, kHost, kAny, kAny, RunErfinv, def);

}  // namespace
}  // namespace paddle::lite
