#include "lite/nnadapter/runtime/fingerprint.h"

#include <cstdio>
#include <cstring>
#include <unordered_map>

#include "lite/nnadapter/runtime/operand_type.h"

namespace nnadapter::runtime {
namespace {

class Hasher {
 public:
  void Bytes(const void* data, size_t size) {
    Number(size);
    const auto* at = static_cast<const uint8_t*>(data);
    for (; size >= 8; at += 8, size -= 8) {
      uint64_t word;
      std::memcpy(&word, at, 8);
      Mix(word);
    }
    uint64_t rest = 0;
    if (size > 0) std::memcpy(&rest, at, size);
    Mix(rest);
  }
  void Number(uint64_t number) { Mix(number); }
  void Floats(const float* data, size_t count) { Bytes(data, count * sizeof(float)); }
  std::string Hex() const {
    char text[33];
    std::snprintf(text, sizeof(text), "%016llx%016llx", static_cast<unsigned long long>(Final(a_)),
                  static_cast<unsigned long long>(Final(b_)));
    return text;
  }

 private:
  void Mix(uint64_t word) {
    a_ = (a_ ^ word) * 0x9e3779b97f4a7c15u;
    a_ ^= a_ >> 29;
    b_ = (b_ + word) * 0xd6e8feb86659fd93u;
    b_ ^= b_ >> 32;
  }
  static uint64_t Final(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  uint64_t a_ = 0x243f6a8885a308d3u, b_ = 0x13198a2e03707344u;
};

void AddType(const NNAdapterOperandType& type, bool constant, Hasher* hasher) {
  const int32_t precision = PrecisionOf(type);
  hasher->Number(static_cast<uint64_t>(precision));
  hasher->Number(static_cast<uint64_t>(type.layout));
  // Whether a constant was copied changes nothing in the program.
  hasher->Number(constant ? 99 : static_cast<uint64_t>(LifetimeOf(type)));
  const NNAdapterOperandDimensionType& dimensions = type.dimensions;
  hasher->Bytes(dimensions.data, dimensions.count * sizeof(int32_t));
  hasher->Number(dimensions.dynamic_count);
  for (uint32_t i = 0; i < dimensions.dynamic_count; i++)
    hasher->Bytes(dimensions.dynamic_data[i], dimensions.count * sizeof(int32_t));
  if (IsPerChannel(precision)) {
    const NNAdapterSymmPerChannelQuantParams& params = type.symm_per_channel_params;
    hasher->Number(params.channel_dim);
    hasher->Floats(params.scales, params.scale_count);
  } else if (precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER) {
    const NNAdapterAsymmPerLayerQuantParams& params = type.asymm_per_layer_params;
    hasher->Floats(&params.scale, 1);
    hasher->Number(IsAsymmetric(precision) ? static_cast<uint64_t>(params.zero_point) : 0);
  }
}

}  // namespace

std::string Fingerprint(const core::Model& model, const Context& context) {
  Hasher hasher;
  std::unordered_map<const core::Operand*, uint64_t> numbers;
  for (const core::Operand& operand : model.operands) {
    const uint64_t number = numbers.size() + 1;
    numbers.emplace(&operand, number);
    AddType(operand.type, IsConstant(operand), &hasher);
    hasher.Bytes(operand.buffer, operand.buffer ? operand.length : 0);
  }
  const auto add_operands = [&](const std::vector<core::Operand*>& operands) {
    hasher.Number(operands.size());
    for (const core::Operand* operand : operands) hasher.Number(operand ? numbers.at(operand) : 0);
  };
  hasher.Number(model.operations.size());
  for (const core::Operation& operation : model.operations) {
    hasher.Number(static_cast<uint64_t>(operation.type));
    add_operands(operation.input_operands);
    add_operands(operation.output_operands);
  }
  add_operands(model.input_operands);
  add_operands(model.output_operands);
  for (const auto& device : context.devices()) {
    hasher.Bytes(device->name().data(), device->name().size());
    hasher.Number(static_cast<uint64_t>(device->device().version()));
  }
  hasher.Bytes(context.properties().data(), context.properties().size());
  return hasher.Hex();
}

}  // namespace nnadapter::runtime
