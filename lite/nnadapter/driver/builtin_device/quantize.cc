#include "lite/nnadapter/driver/builtin_device/quantize.h"

#include <cstring>

#include "lite/nnadapter/runtime/error.h"
#include "nnadapter/hal/quant.h"

namespace nnadapter::builtin_device {
namespace {

using runtime::Error;

// Scales and zero point of a quantised type; one scale where it is per layer.
struct Params {
  std::vector<float> scales;
  int channel_dim = 0;
  int32_t zero_point = 0;
  double low = 0, high = 0;
};

Params ParamsOf(const NNAdapterOperandType& type) {
  Params params{hal::Scales(type), 0, hal::ZeroPoint(type)};
  if (hal::IsSymmPerChannel(type.precision)) {
    const uint32_t dim = type.symm_per_channel_params.channel_dim;
    if (params.scales.empty() || dim >= type.dimensions.count ||
        (type.dimensions.data[dim] != NNADAPTER_UNKNOWN &&
         type.dimensions.data[dim] != static_cast<int32_t>(params.scales.size())))
      throw Error(NNADAPTER_INVALID_PARAMETER,
                  "per-channel scales do not fit the channels of their operand");
    params.channel_dim = static_cast<int>(dim);
  }
  switch (StorageType(type.precision)) {
    case lite::DataType::kInt8:
      params.low = -127, params.high = 127;
      break;
    case lite::DataType::kUInt8:
      params.low = 0, params.high = 255;
      break;
    case lite::DataType::kInt16:
      params.low = -32767, params.high = 32767;
      break;
    default:
      params.low = -2147483647, params.high = 2147483647;
  }
  for (const float scale : params.scales)
    if (!(scale > 0))
      throw Error(NNADAPTER_INVALID_PARAMETER,
                  "a quantisation scale is " + std::to_string(scale) + ", expected more than 0");
  return params;
}

ValueId NewValue(GraphBuilder* builder) {
  return builder->graph().AddValue("value" + std::to_string(builder->graph().values.size()));
}

ValueId Unary(GraphBuilder* builder, const char* type, ValueId x,
              const lite::AttributeMap& attributes) {
  const ValueId out = NewValue(builder);
  builder->Emit(type, {{"X", {x}}}, {{"Out", {out}}}, attributes);
  return out;
}

ValueId Cast(GraphBuilder* builder, ValueId x, lite::DataType from, lite::DataType to) {
  return Unary(builder, "cast", x,
               {{"in_dtype", static_cast<int32_t>(from)}, {"out_dtype", static_cast<int32_t>(to)}});
}

ValueId ScaleBy(GraphBuilder* builder, ValueId x, const Params& params, bool divide) {
  lite::Tensor scales;
  // One scale has no dimensions, so that a tensor without dimensions stays one.
  const lite::DDim one, several{static_cast<int64_t>(params.scales.size())};
  scales.Allocate(params.scales.size() == 1 ? one : several, lite::DataType::kFP32);
  auto* data = static_cast<float*>(scales.raw_data());
  std::memcpy(data, params.scales.data(), params.scales.size() * sizeof(float));
  const ValueId constant = builder->graph().AddConstant("scales", std::move(scales));
  const ValueId out = NewValue(builder);
  const int32_t axis = params.scales.size() == 1 ? -1 : params.channel_dim;
  builder->Emit(divide ? "elementwise_div" : "elementwise_mul", {{"X", {x}}, {"Y", {constant}}},
                {{"Out", {out}}}, {{"axis", axis}});
  return out;
}

template <typename T>
void Dequantize(const core::Operand& operand, const Params& params, int64_t inner, float* out) {
  const auto* stored = static_cast<const T*>(operand.buffer);
  const size_t count = operand.length / sizeof(T);
  const auto channels = static_cast<int64_t>(params.scales.size());
  for (size_t i = 0; i < count; ++i) {
    const int64_t channel = static_cast<int64_t>(i) / inner % channels;
    const double shifted = static_cast<double>(stored[i]) - params.zero_point;
    out[i] = static_cast<float>(shifted * params.scales[static_cast<size_t>(channel)]);
  }
}

}  // namespace

lite::Tensor DequantizeConstant(const core::Operand& operand) {
  const Params params = ParamsOf(operand.type);
  lite::DDim dims;
  for (uint32_t i = 0; i < operand.type.dimensions.count; ++i)
    dims.push_back(operand.type.dimensions.data[i]);
  const lite::DataType stored = StorageType(operand.type.precision);
  if (static_cast<uint64_t>(dims.production()) * lite::SizeOf(stored) != operand.length)
    throw Error(NNADAPTER_INVALID_PARAMETER, "a quantised constant's bytes do not fit its type");
  lite::Tensor tensor;
  tensor.Allocate(dims, lite::DataType::kFP32);
  auto* out = static_cast<float*>(tensor.raw_data());
  const int64_t inner = params.scales.size() == 1 && params.channel_dim == 0
                            ? std::max<int64_t>(dims.production(), 1)
                            : std::max<int64_t>(dims.Count(params.channel_dim + 1, dims.size()), 1);
  switch (stored) {
    case lite::DataType::kInt8:
      Dequantize<int8_t>(operand, params, inner, out);
      break;
    case lite::DataType::kUInt8:
      Dequantize<uint8_t>(operand, params, inner, out);
      break;
    case lite::DataType::kInt16:
      Dequantize<int16_t>(operand, params, inner, out);
      break;
    default:
      Dequantize<int32_t>(operand, params, inner, out);
  }
  return tensor;
}

ValueId EmitDequantize(GraphBuilder* builder, ValueId stored, const NNAdapterOperandType& type) {
  const Params params = ParamsOf(type);
  ValueId value = Cast(builder, stored, StorageType(type.precision), lite::DataType::kFP32);
  if (params.zero_point != 0)
    value = Unary(builder, "scale", value,
                  {{"scale", 1.0f}, {"bias", -static_cast<float>(params.zero_point)}});
  return ScaleBy(builder, value, params, false);
}

ValueId EmitQuantize(GraphBuilder* builder, ValueId real, const NNAdapterOperandType& type) {
  const Params params = ParamsOf(type);
  ValueId value = Unary(builder, "round", ScaleBy(builder, real, params, true), {});
  if (params.zero_point != 0)
    value = Unary(builder, "scale", value,
                  {{"scale", 1.0f}, {"bias", static_cast<float>(params.zero_point)}});
  value =
      Unary(builder, "clip", value,
            {{"min", static_cast<float>(params.low)}, {"max", static_cast<float>(params.high)}});
  return Cast(builder, value, lite::DataType::kFP32, StorageType(type.precision));
}

}  // namespace nnadapter::builtin_device
