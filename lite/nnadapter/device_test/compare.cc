#include "lite/nnadapter/device_test/compare.h"

#include <math.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "lite/nnadapter/device_test/elements.h"

namespace device_test {
namespace {

std::vector<int32_t> Position(const std::vector<int32_t>& dims, uint64_t index) {
  std::vector<int32_t> position(dims.size());
  for (size_t axis = dims.size(); axis-- > 0;) {
    position[axis] = static_cast<int32_t>(index % dims[axis]);
    index /= dims[axis];
  }
  return position;
}

double Wanted(const Expected& expected, uint64_t i) {
  return expected.reals.empty() ? static_cast<double>(expected.integers[i]) : expected.reals[i];
}

std::string RealDifference(const Found& found, const Expected& expected, uint64_t count,
                           double tolerance) {
  double scale = 0, worst = 0;
  uint64_t at = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const double wanted = Wanted(expected, i),
                 value = RealAt(found.precision, found.bytes.data(), i);
    if (isfinite(wanted)) scale = std::max(scale, fabs(wanted));
    if (value == wanted || (isnan(value) && isnan(wanted))) continue;
    double error = fabs(value - wanted);
    if (isnan(error)) error = std::numeric_limits<double>::infinity();
    if (error > worst) worst = error, at = i;
  }
  scale = std::max(scale, 1e-3);
  if (worst <= tolerance * scale) return "";
  std::ostringstream text;
  text << RealAt(found.precision, found.bytes.data(), at) << " at "
       << DimsText(Position(found.dims, at)) << ", expected " << Wanted(expected, at)
       << " (relative error " << worst / scale << ")";
  return text.str();
}

int64_t WantedInteger(const Expected& expected, uint64_t i) {
  if (expected.reals.empty()) return expected.integers[i];
  const double limit = 9.2e18;
  return static_cast<int64_t>(std::max(-limit, std::min(limit, expected.reals[i])));
}

std::string IntegerDifference(const Found& found, const Expected& expected, uint64_t count,
                              int levels) {
  uint64_t wrong = 0, first = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const int64_t wanted = WantedInteger(expected, i),
                  value = IntegerAt(found.precision, found.bytes.data(), i);
    const uint64_t distance = value > wanted ? static_cast<uint64_t>(value) - wanted
                                             : static_cast<uint64_t>(wanted) - value;
    if (distance > static_cast<uint64_t>(levels) && !wrong++) first = i;
  }
  if (!wrong) return "";
  std::ostringstream text;
  text << wrong << " of " << count
       << " differ: " << IntegerAt(found.precision, found.bytes.data(), first) << " at "
       << DimsText(Position(found.dims, first)) << ", expected " << WantedInteger(expected, first);
  return text.str();
}

}  // namespace

std::string DimsText(const std::vector<int32_t>& dims) {
  std::string text = "[";
  for (const int32_t dim : dims) text += (text.size() > 1 ? ", " : "") + std::to_string(dim);
  return text + "]";
}

std::string Difference(const Found& found, const Expected& expected, double tolerance, int levels) {
  if (found.dims != expected.dims)
    return "shape " + DimsText(found.dims) + ", expected " + DimsText(expected.dims);
  const uint64_t count = expected.reals.size() + expected.integers.size();
  return IsReal(found.precision) ? RealDifference(found, expected, count, tolerance)
                                 : IntegerDifference(found, expected, count, levels);
}

}  // namespace device_test
