#include "lite/kernels/cpu/fft.h"

#include <algorithm>
#include <cmath>

namespace paddle::lite {

std::vector<int> FourierAxes(const OpLite& op, const DDim& x, bool required) {
  std::vector<int> axes;
  for (const int64_t given : op.Attr<std::vector<int64_t>>("axes")) {
    const int axis = CanonicalAxis(given, x.size(), "attribute axes");
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      throw ShapeError(StrCat("attribute axes names dimension ", axis, " twice"));
    if (x[axis] == 0)
      throw ShapeError(StrCat("X of shape ", x, " has nothing to transform in dimension ", axis));
    axes.push_back(axis);
  }
  if (required && axes.empty()) throw ShapeError("attribute axes is empty, expected one or more");
  return axes;
}

double FourierScale(const OpLite& op, int64_t count) {
  const std::string& name = op.Attr<std::string>("normalization");
  const bool forward = op.Attr<bool>("forward");
  const double n = static_cast<double>(count);
  if (name == "ortho") return 1 / std::sqrt(n);
  if (name == "forward") return forward ? 1 / n : 1;
  if (name == "backward" || name.empty()) return forward ? 1 : 1 / n;
  throw LiteError(
      StrCat("attribute normalization is \"", name, "\", expected backward, forward or ortho"));
}

}  // namespace paddle::lite
