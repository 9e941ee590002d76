#include <cmath>

#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

int64_t PowerOf(int64_t base, int64_t exponent) {
  const double power = std::pow(static_cast<double>(base), static_cast<double>(exponent));
  return std::fabs(power) < INT32_MAX ? static_cast<int64_t>(power) : NNADAPTER_UNKNOWN;
}

REGISTER_OPERATION(POW)
    .Doc("output = input0 ^ input1, element by element.")
    .Like(Arithmetic(PowerOf));

}  // namespace
}  // namespace nnadapter::runtime
