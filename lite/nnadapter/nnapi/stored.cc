#include "lite/nnadapter/nnapi/stored.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "nnadapter/hal/precision.h"

namespace nnadapter::nnapi {
namespace {

NNAdapterOperandPrecisionCode PrecisionOf(int32_t code) {
  switch (code) {
    case ANEURALNETWORKS_FLOAT32:
    case ANEURALNETWORKS_FLOAT16:
    case ANEURALNETWORKS_TENSOR_FLOAT32:
    case ANEURALNETWORKS_TENSOR_FLOAT16:
    case ANEURALNETWORKS_TENSOR_QUANT16_SYMM:
    case ANEURALNETWORKS_TENSOR_QUANT16_ASYMM:
      return NNADAPTER_FLOAT32;
    case ANEURALNETWORKS_INT32:
    case ANEURALNETWORKS_TENSOR_INT32:
      return NNADAPTER_INT32;
    case ANEURALNETWORKS_UINT32:
      return NNADAPTER_UINT32;
    case ANEURALNETWORKS_BOOL:
    case ANEURALNETWORKS_TENSOR_BOOL8:
      return NNADAPTER_BOOL8;
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM:
    case ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED:
      return NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER;
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM:
      return NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
    case ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL:
      return NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL;
    default:
      throw Refused{Text("an operand is ", OperandCodeName(code))};
  }
}

// What few devices compute is FLOAT32 in NNAdapter.
bool IsWidened(int32_t code) {
  return code == ANEURALNETWORKS_FLOAT16 || code == ANEURALNETWORKS_TENSOR_FLOAT16 ||
         code == ANEURALNETWORKS_TENSOR_QUANT16_SYMM ||
         code == ANEURALNETWORKS_TENSOR_QUANT16_ASYMM;
}

bool IsTruth(int32_t code) {
  return code == ANEURALNETWORKS_BOOL || code == ANEURALNETWORKS_TENSOR_BOOL8;
}

float Widened(const OperandType& type, uint16_t bits) {
  if (type.code == ANEURALNETWORKS_TENSOR_QUANT16_ASYMM)
    return static_cast<float>(bits - type.zero_point) * type.scale;
  if (type.code == ANEURALNETWORKS_TENSOR_QUANT16_SYMM)
    return static_cast<float>(static_cast<int16_t>(bits)) * type.scale;
  return HalfToFloat(bits);
}

uint16_t Narrowed(const OperandType& type, float number) {
  const bool asymmetric = type.code == ANEURALNETWORKS_TENSOR_QUANT16_ASYMM;
  if (!asymmetric && type.code != ANEURALNETWORKS_TENSOR_QUANT16_SYMM) return FloatToHalf(number);
  const float stored = std::round(number / type.scale) + static_cast<float>(type.zero_point);
  const float least = asymmetric ? 0 : -32768, most = asymmetric ? 65535 : 32767;
  // What is no number is the least one.
  const float bounded = stored > least ? std::min(stored, most) : least;
  return static_cast<uint16_t>(static_cast<int32_t>(bounded));
}

// A stored element as a number.
double NumberAt(const Tensor& tensor, size_t i) {
  const auto read = [&](auto element) {
    std::memcpy(&element, static_cast<const uint8_t*>(tensor.data) + i * sizeof(element),
                sizeof(element));
    return static_cast<double>(element);
  };
  switch (tensor.precision) {
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return read(uint8_t{});
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
      return read(uint16_t{});
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
      return read(int16_t{});
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return read(int32_t{});
    default:
      return read(int8_t{});
  }
}

}  // namespace

size_t PrecisionSize(int precision) { return hal::DescribePrecision(precision).size; }

bool StoredAsIs(int32_t code) {
  return !IsWidened(code) && !IsTruth(code) && code != ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED;
}

size_t StoredSize(int32_t code) { return IsWidened(code) ? sizeof(float) : ElementSize(code); }

void ToStored(const OperandType& type, const void* from, void* to, size_t count) {
  const auto* source = static_cast<const uint8_t*>(from);
  auto* target = static_cast<uint8_t*>(to);
  if (IsWidened(type.code)) {
    for (size_t i = 0; i < count; ++i) {
      uint16_t bits = 0;
      std::memcpy(&bits, source + i * sizeof(bits), sizeof(bits));
      const float number = Widened(type, bits);
      std::memcpy(target + i * sizeof(number), &number, sizeof(number));
    }
  } else if (type.code == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED) {
    for (size_t i = 0; i < count; ++i) target[i] = source[i] ^ 0x80;
  } else if (IsTruth(type.code)) {
    // Clients may write any byte; to devices true is 1.
    for (size_t i = 0; i < count; ++i) target[i] = source[i] != 0;
  } else if (count > 0) {
    std::memcpy(target, source, count * ElementSize(type.code));
  }
}

void FromStored(const OperandType& type, const void* from, void* to, size_t count) {
  if (!IsWidened(type.code)) return ToStored(type, from, to, count);
  const auto* source = static_cast<const uint8_t*>(from);
  auto* target = static_cast<uint8_t*>(to);
  for (size_t i = 0; i < count; ++i) {
    float number = 0;
    std::memcpy(&number, source + i * sizeof(number), sizeof(number));
    const uint16_t bits = Narrowed(type, number);
    std::memcpy(target + i * sizeof(bits), &bits, sizeof(bits));
  }
}

Tensor Translation::Stored(const OperandType& type) {
  Tensor tensor;
  tensor.precision = PrecisionOf(type.code);
  if (IsTensor(type.code)) {
    tensor.dims.assign(type.dims.begin(), type.dims.end());
  } else {
    tensor.dims = {1};
  }
  if (!tensor.quantised()) return tensor;
  tensor.scale = type.scale;
  tensor.zero_point = type.zero_point;
  if (type.code == ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED) tensor.zero_point += 128;
  if (type.code != ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL) return tensor;
  if (type.channel_scales.empty()) throw Refused{"the scales of its channels were not set"};
  tensor.channel_dim = type.channel_dim;
  tensor.channel_scales = type.channel_scales;
  return tensor;
}

Tensor TensorOf(const NNAdapterOperandType& type) {
  Tensor tensor;
  tensor.precision = type.precision;
  tensor.dims.assign(type.dimensions.data, type.dimensions.data + type.dimensions.count);
  switch (type.precision) {
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL: {
      const auto& params = type.symm_per_channel_params;
      tensor.channel_dim = params.channel_dim;
      tensor.channel_scales.assign(params.scales, params.scales + params.scale_count);
      break;
    }
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
    case NNADAPTER_QUANT_UINT16_ASYMM_PER_LAYER:
    case NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER:
      tensor.zero_point = type.asymm_per_layer_params.zero_point;
      [[fallthrough]];
    default:
      if (tensor.quantised()) tensor.scale = type.symm_per_layer_params.scale;
  }
  return tensor;
}

std::vector<float> Dequantised(const Tensor& tensor) {
  std::vector<float> numbers(tensor.count());
  size_t inner = 1;  // elements behind the axis of the channels
  for (size_t i = tensor.channel_dim + 1; i < tensor.dims.size(); ++i)
    inner *= static_cast<size_t>(tensor.dims[i]);
  const std::vector<float>& scales = tensor.channel_scales;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double scale = scales.empty() ? tensor.scale : scales[i / inner % scales.size()];
    numbers[i] = static_cast<float>(scale * (NumberAt(tensor, i) - tensor.zero_point));
  }
  return numbers;
}

std::vector<uint8_t> TransposedBytes(const Tensor& tensor, const Shape& permutation) {
  const size_t rank = permutation.size(), size = PrecisionSize(tensor.precision);
  const auto* from = static_cast<const uint8_t*>(tensor.data);
  struct Axis {
    size_t step = 1, extent = 1, at = 0;
  };
  std::vector<Axis> axes;
  for (int32_t axis : permutation) {
    Axis& made = axes.emplace_back();
    for (auto i = static_cast<size_t>(axis) + 1; i < rank; ++i)
      made.step *= static_cast<size_t>(tensor.dims[i]);
    made.extent = static_cast<size_t>(tensor.dims[static_cast<size_t>(axis)]);
  }
  std::vector<uint8_t> moved(tensor.count() * size);
  size_t source = 0;
  for (size_t offset = 0; offset < moved.size(); offset += size) {
    std::memcpy(&moved[offset], from + source * size, size);
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
      source += axis->step;
      if (++axis->at < axis->extent) break;
      source -= axis->step * axis->extent;
      axis->at = 0;
    }
  }
  return moved;
}

}  // namespace nnadapter::nnapi
