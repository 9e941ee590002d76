#include <cmath>

#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

constexpr PrecisionSet kRanged = kIndex | kFloat32 | PrecisionBit(NNADAPTER_FLOAT64);

struct Bounds {
  double start, end, step;
};

// Nothing where one is computed as the model runs.
std::optional<Bounds> BoundsOf(const InferContext& c) {
  double found[3];
  const char* const names[] = {"start", "end", "step"};
  for (int i = 0; i < 3; ++i) {
    const bool one = Product(c.DimsOf(names[i]), 0, static_cast<size_t>(c.Rank(names[i]))) == 1;
    c.Require(one, names[i], " has shape ", DimsText(c.DimsOf(names[i])), ", expected one number");
    c.Require(c.Precision(names[i]) == c.Precision("start"), names[i], " is ",
              PrecisionName(c.Precision(names[i])), ", but start is ",
              PrecisionName(c.Precision("start")));
  }
  for (int i = 0; i < 3; ++i) {
    const bool integer = (PrecisionBit(c.Precision(names[i])) & kIndex) != 0;
    const auto values = c.Values(names[i]);
    if (c.IsConstant(names[i]) && c.Precision(names[i]) != NNADAPTER_FLOAT64)
      found[i] = integer ? static_cast<double>(c.Int(names[i])) : c.Float(names[i]);
    else if (values && values->size() == 1 && (*values)[0] != kUnknown)
      found[i] = (*values)[0];
    else
      return std::nullopt;
  }
  return Bounds{found[0], found[1], found[2]};
}

void Infer(InferContext& c) {
  const auto bounds = BoundsOf(c);
  const int32_t precision = c.Precision("start");
  if (!bounds) return c.SetOutput("output", precision, {kUnknown});
  const auto [start, end, step] = *bounds;
  c.Require(std::isfinite(start) && std::isfinite(end) && std::isfinite(step) && step != 0 &&
                (start == end || (start < end) == (step > 0)),
            "steps of ", step, " never lead from ", start, " to ", end);
  const double count = std::ceil((end - start) / step);
  c.Require(count <= INT32_MAX, "a range of ", count, " numbers");
  const auto length = static_cast<int32_t>(count);
  c.SetOutput("output", precision, {length});
  if (!(PrecisionBit(precision) & kIndex) || length > NNADAPTER_MAX_SIZE_OF_DIMENSIONS) return;
  Dims values;
  for (int32_t i = 0; i < length; ++i) values.push_back(static_cast<int32_t>(start + i * step));
  c.SetValues("output", values);
}

REGISTER_OPERATION(RANGE)
    .Doc("The numbers from start to end, end excluded, in steps.")
    .Input("start", kRanged, "one number: the first")
    .Input("end", kRanged, "one number of the type of start: the end")
    .Input("step", kRanged, "one number of the type of start: the step, not 0")
    .Output("output", "a list of the type of start")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
