#include "lite/nnadapter/runtime/fingerprint.h"

#include <unordered_map>

#include "lite/core/fingerprint.h"
#include "lite/nnadapter/runtime/operand_type.h"

namespace nnadapter::runtime {
namespace {

using Hasher = paddle::lite::Fingerprint;

uint64_t Final(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void AddType(const NNAdapterOperandType& type, bool constant, Hasher* hasher) {
  const int32_t precision = PrecisionOf(type);
  hasher->Add(static_cast<uint64_t>(precision));
  hasher->Add(static_cast<uint64_t>(type.layout));
  // Whether a constant was copied changes nothing in the program.
  hasher->Add(constant ? 99 : static_cast<uint64_t>(LifetimeOf(type)));
  const NNAdapterOperandDimensionType& dimensions = type.dimensions;
  hasher->Add(dimensions.data, dimensions.count * sizeof(int32_t));
  hasher->Add(dimensions.dynamic_count);
  for (uint32_t i = 0; i < dimensions.dynamic_count; ++i)
    hasher->Add(dimensions.dynamic_data[i], dimensions.count * sizeof(int32_t));
  if (IsPerChannel(precision)) {
    const NNAdapterSymmPerChannelQuantParams& params = type.symm_per_channel_params;
    hasher->Add(params.channel_dim);
    hasher->Add(params.scales, params.scale_count * sizeof(float));
  } else if (precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER) {
    const NNAdapterAsymmPerLayerQuantParams& params = type.asymm_per_layer_params;
    hasher->Add(&params.scale, sizeof(float));
    hasher->Add(IsAsymmetric(precision) ? static_cast<uint64_t>(params.zero_point) : 0);
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
    hasher.Add(operand.buffer, operand.buffer ? operand.length : 0);
  }
  const auto add_operands = [&](const std::vector<core::Operand*>& operands) {
    hasher.Add(operands.size());
    for (const core::Operand* operand : operands) hasher.Add(operand ? numbers.at(operand) : 0);
  };
  hasher.Add(model.operations.size());
  for (const core::Operation& operation : model.operations) {
    hasher.Add(static_cast<uint64_t>(operation.type));
    add_operands(operation.input_operands);
    add_operands(operation.output_operands);
  }
  add_operands(model.input_operands);
  add_operands(model.output_operands);
  for (const auto& device : context.devices()) {
    hasher.Add(device->name().data(), device->name().size());
    hasher.Add(static_cast<uint64_t>(device->device().version()));
  }
  hasher.Add(context.properties().data(), context.properties().size());
  return Hasher::Hex(Final(hasher.low()), Final(hasher.high()));
}

}  // namespace nnadapter::runtime
