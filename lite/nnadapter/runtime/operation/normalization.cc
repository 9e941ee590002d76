// Normalisations and softmax.
#include <cmath>
#include <initializer_list>

#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {

namespace {

// Throws Error unless input is [N, C, ...] of at least `rank` dimensions.
void RequireChannels(const InferContext& c, int rank) {
  c.Require(c.Rank("input") >= rank, "input has shape ", DimsText(c.DimsOf("input")),
            ", expected [N, C, ...] of rank ", rank, " or more");
}

// Throws Error unless the operands that are present have `count` elements of input's type, and
// epsilon is a number of at least 0.
void CheckParameters(const InferContext& c, std::initializer_list<const char*> names,
                     int64_t count) {
  for (const char* name : names) {
    RequireCount(c, name, count);
    RequireSameReal(c, name, "input");
  }
  const float epsilon = c.Float("epsilon");
  c.Require(std::isfinite(epsilon) && epsilon >= 0, "epsilon is ", epsilon,
            ", expected a number of at least 0");
}

}  // namespace

INFER(BATCH_NORMALIZATION) {
  RequireChannels(c, 2);
  CheckParameters(c, {"scale", "bias", "mean", "variance"}, c.DimsOf("input")[1]);
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(INSTANCE_NORMALIZATION) {
  RequireChannels(c, 3);
  CheckParameters(c, {"scale", "bias"}, c.DimsOf("input")[1]);
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(LAYER_NORMALIZATION) {
  const Dims dims = c.DimsOf("input");
  const int begin = CanonicalAxis(c, c.Int("begin_norm_axis"), c.Rank("input"), "begin_norm_axis");
  CheckParameters(c, {"scale", "bias"}, Product(dims, static_cast<size_t>(begin), dims.size()));
  c.SetOutput("output", c.Precision("input"), dims);
}

INFER(GROUP_NORMALIZATION) {
  RequireChannels(c, 3);
  const int32_t channels = c.DimsOf("input")[1];
  const int64_t groups = GroupOf(c, "groups");
  c.Require(channels == NNADAPTER_UNKNOWN || channels % groups == 0, "groups is ", groups,
            ", expected a divisor of the ", channels, " channels");
  CheckParameters(c, {"scale", "bias"}, channels);
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(LP_NORMALIZATION) {
  const std::vector<int64_t> axes = c.Ints("axis");
  c.Require(!axes.empty(), "axis is empty, expected one axis or more");
  for (const int64_t axis : axes) CanonicalAxis(c, axis, c.Rank("input"));
  const int64_t p = c.Int("p");
  c.Require(p == 1 || p == 2, "p is ", p, ", expected 1 or 2");
  const float epsilon = c.Float("epsilon");
  c.Require(std::isfinite(epsilon) && epsilon >= 0, "epsilon is ", epsilon,
            ", expected a number of at least 0");
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(LRN) {
  RequireImages(c, "input");
  const int64_t size = c.Int("size");
  c.Require(size >= 1 && size <= INT32_MAX, "size is ", size, ", expected a number of at least 1");
  for (const char* name : {"bias", "alpha", "beta"}) c.Float(name);
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(SOFTMAX) {
  CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

INFER(LOG_SOFTMAX) {
  CanonicalAxis(c, c.Int("axis"), c.Rank("input"));
  c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
}

}  // namespace nnadapter::runtime
