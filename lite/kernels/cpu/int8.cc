#include "lite/kernels/cpu/int8.h"

#include <algorithm>
#include <cmath>

#include "lite/core/fingerprint.h"

namespace paddle::lite {

OpInfo& DeclareInt8(OpInfo& info) {
  return info.Attr<float>("int8_scale", 0.0f)
      .Attr<float>("int8_threshold", 0.0f)
      .Attr<int>("int8_round_type", 1)
      .Attr<std::vector<float>>("int8_weight_scales", {});
}

bool IsInt8(const InferContext& c, const char* slot) {
  return c.Input(slot).dtype == DataType::kInt8 && c.op().info().FindAttr("int8_scale") >= 0;
}

bool OnlyWeightIsInt8(const OpLite& op) { return op.Attr<float>("int8_scale") == 0; }

namespace {

void RequireWeightScales(const InferContext& c, int64_t channels) {
  const auto& scales = c.Attr<std::vector<float>>("int8_weight_scales");
  const auto given = static_cast<int64_t>(scales.size());
  c.Require(given == 1 || given == channels, "attribute int8_weight_scales has ", given,
            " numbers, expected 1 or ", channels);
  for (const float s : scales)
    c.Require(std::isfinite(s), "attribute int8_weight_scales has ", s, ", expected numbers");
}

}  // namespace

void RequireInt8(const InferContext& c, const char* slot, int64_t channels, int64_t summands) {
  RequireWeightScales(c, channels);
  if (OnlyWeightIsInt8(c.op())) return;
  const float scale = c.Attr<float>("int8_scale"), threshold = c.Attr<float>("int8_threshold");
  const int rounding = c.Attr<int>("int8_round_type");
  c.Require(std::isnormal(scale) && scale > 0 && std::isnormal(1.0f / scale),
            "attribute int8_scale is ", scale, ", but input ", slot,
            " is int8: expected a positive number");
  c.Require(threshold == 0 || (threshold > 1e-30f && std::isfinite(127.0f / threshold) &&
                               std::isfinite(threshold)),
            "attribute int8_threshold is ", threshold, ", expected 0 or a positive number");
  c.Require(rounding == 0 || rounding == 1, "attribute int8_round_type is ", rounding,
            ", expected 0 (ties to even) or 1 (ties away from zero)");
  c.Require(summands <= math::kMaxInt8Summands, "input ", slot, " is int8 with ", summands,
            " summands in a result, expected at most ", math::kMaxInt8Summands);
}

float Int8Input::Round(float x) const {
  const float scaled = rounding.factor * x;
  const float whole = rounding.ties_to_even ? std::nearbyint(scaled) : std::round(scaled);
  return std::min(std::max(rounding.lowest, whole), rounding.highest) * step;
}

Int8Input Int8InputOf(const OpLite& op) {
  const float scale = op.Attr<float>("int8_scale"), threshold = op.Attr<float>("int8_threshold");
  Int8Input input;
  input.rounding.ties_to_even = op.Attr<int>("int8_round_type") == 0;
  if (threshold > 0) {  // in the arithmetic of the fake operators
    input.rounding.factor = 127.0f * (1.0f / threshold);
    input.step = threshold / 127.0f;
    if (input.rounding.ties_to_even) input.rounding.lowest = -128.0f;
  } else {
    input.rounding.factor = 1.0f / scale;
    input.step = scale;
  }
  return input;
}

std::vector<float> Int8WeightScales(const OpLite& op, int64_t channels) {
  std::vector<float> scales = op.Attr<std::vector<float>>("int8_weight_scales");
  if (scales.size() == 1) scales.assign(static_cast<size_t>(channels), scales[0]);
  return scales;
}

std::string WeightScalesText(const OpLite& op) {
  const auto& scales = op.Attr<std::vector<float>>("int8_weight_scales");
  Fingerprint fingerprint;
  fingerprint.Add(scales.data(), scales.size() * sizeof(float));
  return " " + Fingerprint::Hex(fingerprint.low(), fingerprint.high());
}

math::Int8Scaling Int8ScalingOf(const OpLite& op, const math::PackedInt8& weights) {
  const Int8Input input = Int8InputOf(op);
  return math::ScaleInt8(weights, input.rounding, input.step,
                         Int8WeightScales(op, weights.oc).data());
}

}  // namespace paddle::lite
