#include "lite/kernels/cpu/quantised/int8.h"

#include <algorithm>
#include <cmath>

#include "lite/core/fingerprint.h"
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/elementwise/convert.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/math/reduce.h"
#include "lite/kernels/cpu/quantised/fake_quant.h"

namespace paddle::lite {
OpInfo& DeclareDynamicInt8(OpInfo& info) {
  return info.Attr<std::vector<float>>("int8_weight_scales", {});
}

OpInfo& DeclareInt8(OpInfo& info) {
  return DeclareDynamicInt8(info)
      .Attr<float>("int8_scale", 0.0f)
      .Attr<float>("int8_threshold", 0.0f)
      .Attr<int>("int8_round_type", 1)
      .Attr<int>("int8_zero_byte", -1);
}

bool IsInt8(const InferContext& c, const char* slot) {
  return c.Input(slot).dtype == DataType::kInt8 &&
         c.op().info().FindAttr("int8_weight_scales") >= 0;
}

bool RoundsByContents(const OpLite& op) { return op.info().FindAttr("int8_scale") < 0; }

bool OnlyWeightIsInt8(const OpLite& op) {
  return !RoundsByContents(op) && op.Attr<float>("int8_scale") == 0;
}

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
  c.Require(summands <= math::kMaxInt8Summands, "input ", slot, " is int8 with ", summands,
            " summands in a result, expected at most ", math::kMaxInt8Summands);
  if (RoundsByContents(c.op())) return;
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
  const int zero = c.Attr<int>("int8_zero_byte");
  c.Require(zero >= -1 && zero <= 255, "attribute int8_zero_byte is ", zero,
            ", expected a byte without sign, or -1");
}

namespace {

// 256 steps of a scale, of which the byte `zero` stands for 0.
math::Int8Rounding RoundToBytes(float scale, int zero) {
  math::Int8Rounding how;
  how.factor = scale;
  how.lowest = static_cast<float>(-zero);
  how.highest = static_cast<float>(255 - zero);
  how.ties_to_even = how.divides = true;
  how.zero = zero;
  return how;
}

}  // namespace

float Int8Input::Round(float x) const {
  const float scaled = rounding.divides ? x / rounding.factor : rounding.factor * x;
  const float whole = rounding.ties_to_even ? std::nearbyint(scaled) : std::round(scaled);
  return std::min(std::max(rounding.lowest, whole), rounding.highest) * step;
}

Int8Input Int8InputOf(const Int8Form& form) {
  if (form.zero_byte >= 0) return {RoundToBytes(form.scale, form.zero_byte), form.scale};
  Int8Input input;
  input.rounding.ties_to_even = form.round_type == 0;
  if (form.threshold > 0) {  // in the arithmetic of the fake operators
    input.rounding.factor = 127.0f * (1.0f / form.threshold);
    input.step = form.threshold / 127.0f;
    if (input.rounding.ties_to_even) input.rounding.lowest = -128.0f;
  } else {
    input.rounding.factor = 1.0f / form.scale;
    input.step = form.scale;
  }
  return input;
}

Int8Input Int8InputOf(const OpLite& op) { return Int8InputOf(Int8FormOf(op)); }

Int8Form FormOfContents(const float* x, int64_t count, int threads) {
  constexpr int64_t kPart = 4096;  // stays in the nearest cache between both
  const int64_t parts = (count + kPart - 1) / kPart;
  std::vector<float> lows(static_cast<size_t>(parts)), highs(static_cast<size_t>(parts));
  math::ParallelRange(threads, parts, math::kElementGrain / kPart, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t size = std::min(kPart, count - i * kPart);
      const auto at = static_cast<size_t>(i);
      math::Reduce(math::Reduction::kMin, 1, size, 1, x + i * kPart, &lows[at], 1);
      math::Reduce(math::Reduction::kMax, 1, size, 1, x + i * kPart, &highs[at], 1);
    }
  });
  float low = 0, high = 0;
  for (const float one : lows) low = one < low || std::isnan(one) ? one : low;
  for (const float one : highs) high = one > high || std::isnan(one) ? one : high;
  Int8Form form;
  form.scale = (high - low) / 255.0f;
  const float zero = std::nearbyint(-low / form.scale);
  form.zero_byte = zero >= 0 ? static_cast<int32_t>(std::min(zero, 255.0f)) : 0;
  return form;
}

Int8Input Int8InputOf(const KernelContext& c, const char* slot) {
  if (!RoundsByContents(c.op())) return Int8InputOf(c.op());
  const Tensor& x = c.Input(slot);
  return Int8InputOf(FormOfContents(x.data<float>(), x.numel(), c.threads()));
}

std::array<float, 256> NumbersOfBytes(const Int8Form& form) {
  std::array<float, 256> numbers;
  for (int i = 0; i < 256; ++i)
    numbers[static_cast<size_t>(i)] = static_cast<float>(i - form.ByteOfZero()) * form.scale;
  return numbers;
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

math::Int8Scaling Int8ScalingOf(const OpLite& op, const Int8Input& input,
                                const math::PackedInt8& weights) {
  return math::ScaleInt8(weights, input.rounding, input.step,
                         Int8WeightScales(op, weights.oc).data());
}

namespace {

// Calibration: fp32 <-> int8 by a scale, and plain conversions between element types; calib_once
// does it to a constant.
bool TypeByWord(const std::string& word, DataType* dtype) {
  static const std::map<std::string, DataType> kWords = {
      {"fp32", DataType::kFP32}, {"float", DataType::kFP32},  {"fp16", DataType::kFP16},
      {"int8", DataType::kInt8}, {"int32", DataType::kInt32}, {"int64", DataType::kInt64},
      {"bool", DataType::kBool}};
  const auto it = kWords.find(word);
  if (it != kWords.end()) *dtype = it->second;
  return it != kWords.end();
}

// The output's type: the kernel alias that the file names ("calib/fp32_to_int8/..."), else the
// usual partner of the input's type.
DataType OutputType(const OpLite& op, DataType from) {
  const std::string& kernel = op.Attr<std::string>("__@kernel_type_attr@__");
  const size_t to = kernel.find("_to_");
  DataType dtype = from;
  if (to != std::string::npos &&
      TypeByWord(kernel.substr(to + 4, kernel.find('/', to) - to - 4), &dtype))
    return dtype;
  switch (from) {
    case DataType::kFP32:
      return DataType::kInt8;
    case DataType::kInt64:
      return DataType::kInt32;
    case DataType::kInt32:
      return DataType::kInt64;
    default:
      return DataType::kFP32;
  }
}

// With the largest magnitude itself, in the very arithmetic of the fake operators.
void QuantizeByThreshold(KernelContext& c, float threshold) {
  const Tensor& x = c.Input("Input");
  const auto* from = x.data<float>();
  auto* to = c.Output("Out").mutable_data<int8_t>();
  QuantGrid grid;
  grid.ties_to_even = c.Attr<int>("round_type") == 0;
  math::ParallelRange(c.threads(), x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    float steps[256];
    for (int64_t at = begin; at < end; at += 256) {
      const int64_t count = std::min<int64_t>(256, end - at);
      grid.Apply(from + at, count, threshold, steps);
      for (int64_t i = 0; i < count; ++i)
        to[at + i] = steps[i] >= -128.0f ? static_cast<int8_t>(steps[i]) : int8_t{-128};
    }
  });
}

void DequantizeByThreshold(KernelContext& c, float threshold) {
  const Tensor& x = c.Input("Input");
  const auto* from = x.data<int8_t>();
  auto* to = c.Output("Out").mutable_data<float>();
  math::ParallelRange(c.threads(), x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]) * threshold / 127.0f;
  });
}

void Quantize(KernelContext& c, float scale) {
  const Tensor& x = c.Input("Input");
  const auto* from = x.data<float>();
  auto* to = c.Output("Out").mutable_data<int8_t>();
  const float inverse = 1.0f / scale;
  math::ParallelRange(c.threads(), x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float value = std::round(from[i] * inverse);
      to[i] = static_cast<int8_t>(value > 127.0f ? 127.0f : value > -127.0f ? value : -127.0f);
    }
  });
}

void Dequantize(KernelContext& c, float scale) {
  const Tensor& x = c.Input("Input");
  const auto* from = x.data<int8_t>();
  auto* to = c.Output("Out").mutable_data<float>();
  math::ParallelRange(c.threads(), x.numel(), math::kElementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) to[i] = static_cast<float>(from[i]) * scale;
  });
}

void InferCalib(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  if (IsComplex(x.dtype))
    throw DataTypeError(StrCat("Input is ", Name(x.dtype), ", expected real numbers"));
  const DataType to = OutputType(c.op(), x.dtype);
  const float scale = c.Attr<float>("scale");
  c.Require(std::isfinite(scale) && scale > 0, "attribute scale is ", scale,
            ", expected a positive number");
  const float threshold = c.Attr<float>("threshold");
  const int rounding = c.Attr<int>("round_type");
  c.Require(std::isfinite(threshold) && threshold >= 0, "attribute threshold is ", threshold,
            ", expected a positive number, or 0 where the scale says all");
  c.Require(rounding == 0 || rounding == 1, "round_type is ", rounding,
            ", expected 0 (ties to even) or 1 (ties away from zero)");
  c.SetOutput("Out", x.dims, to, x.lod);
}

void RunCalib(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const DataType to = OutputType(c.op(), x.dtype());
  c.Output("Out").set_layout(x.layout());
  const float threshold = c.Attr<float>("threshold");
  if (threshold > 0 && x.dtype() == DataType::kFP32 && to == DataType::kInt8)
    return QuantizeByThreshold(c, threshold);
  if (threshold > 0 && x.dtype() == DataType::kInt8 && to == DataType::kFP32)
    return DequantizeByThreshold(c, threshold);
  if (x.dtype() == DataType::kFP32 && to == DataType::kInt8)
    return Quantize(c, c.Attr<float>("scale"));
  if (x.dtype() == DataType::kInt8 && to == DataType::kFP32)
    return Dequantize(c, c.Attr<float>("scale"));
  ConvertElements(x, &c.Output("Out"), to, c.threads());
}

OpInfo& DeclareCalib(OpInfo& info) {
  return info.Input("Input")
      .Output("Out")
      .Attr<float>("scale", 1.0f)
      .Attr<float>("threshold", 0.0f)  // ours: 127 times the scale, before it was rounded
      .Attr<int>("round_type", 1)      // ours: as in fake_quantize_*, with a threshold only
      .Attr<std::string>("__@kernel_type_attr@__", "")
      .InferShape(InferCalib);
}

#define REGISTER_CALIB(type)                                               \
  REGISTER_LITE_OP(type);                                                  \
  [[maybe_unused]] OpInfo& type##_declared = DeclareCalib(type##_op_info); \
  REGISTER_LITE_FUNCTION(type, kHost, kAny, kNCHW, RunCalib, def)

REGISTER_CALIB(calib);
REGISTER_CALIB(calib_once);

}  // namespace
}  // namespace paddle::lite
