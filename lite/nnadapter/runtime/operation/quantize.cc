#include <cmath>

#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

constexpr PrecisionSet kZeroPoints =
    kFloat32 | kInt32 | PrecisionBit(NNADAPTER_INT8) | PrecisionBit(NNADAPTER_UINT8);

// What the output is where the caller leaves it open.
int32_t InferPrecision(const InferContext& c, size_t scales, int32_t zero_point) {
  const int32_t given = c.GivenPrecision("output");
  if (given != NNADAPTER_UNKNOWN) {
    c.Require(IsQuantized(given), "output is declared as ", PrecisionName(given),
              ", expected a quantised type");
    return given;
  }
  if (zero_point != 0) return NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER;
  return scales == 1 ? NNADAPTER_QUANT_INT8_SYMM_PER_LAYER : NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL;
}

void Infer(InferContext& c) {
  const Dims dims = c.DimsOf("input");
  const auto scales = c.Floats("scale");
  const auto zero_points = c.Has("zero_point") ? c.Floats("zero_point") : std::vector<float>{0};
  int axis = 0;
  c.Require(!scales.empty(), "scale is empty, expected one number or one a channel");
  if (scales.size() > 1) {
    axis = CanonicalAxis(c, c.Int("axis", 1), c.Rank("input"));
    const int32_t channels = dims[static_cast<size_t>(axis)];
    c.Require(channels == NNADAPTER_UNKNOWN || static_cast<size_t>(channels) == scales.size(),
              "scale has ", scales.size(), " numbers, expected 1 or ", channels);
  }
  for (const float scale : scales)
    c.Require(scale > 0 && std::isfinite(scale), "a scale is ", scale, ", expected more than 0");
  c.Require(zero_points.size() == 1 || zero_points.size() == scales.size(), "zero_point has ",
            zero_points.size(), " numbers, scale has ", scales.size());
  const float zero_point = zero_points[0];
  c.Require(std::fabs(zero_point) <= 65535 && zero_point == std::floor(zero_point) &&
                (zero_point == 0 || scales.size() == 1),
            "zero_point is ", zero_point,
            ", expected an integer, and 0 where there are several scales");
  for (const float other : zero_points)
    c.Require(other == zero_point, "zero_point has different numbers for the channels");
  c.SetOutput("output", InferPrecision(c, scales.size(), static_cast<int32_t>(zero_point)), dims);
  c.SetQuantization("output", scales, axis, static_cast<int32_t>(zero_point));
}

REGISTER_OPERATION(QUANTIZE)
    .Doc("output = round(input / scale) + zero_point.")
    .Input("input", kFloat32, "a tensor")
    .OptionalInt("axis", "the axis of the channels where there are several scales; 1 if absent")
    .Floats("scale", "one scale, or one a channel")
    .OptionalInput("zero_point", kZeroPoints, "a constant: one number, or as many as scale has")
    .Output("output",
            "of the shape of input; int8 symmetric per layer or per channel, or uint8 asymmetric "
            "where the zero point is not 0, unless the caller declares another quantised type")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
