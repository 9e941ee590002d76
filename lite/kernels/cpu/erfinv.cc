// The inverse of erf: Winitzki's estimate, then Halley's steps. Outside of [-1, 1] the result is
// infinite, as in Paddle.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

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
