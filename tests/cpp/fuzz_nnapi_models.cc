// The models that fuzz_nnapi builds and disturbs.
#include "lite/nnadapter/nnapi/table.h"
#include "tests/cpp/fuzz_nnapi_client.h"

namespace paddle::lite::testing {
namespace {

using nnadapter::nnapi::FindOperandCode;
using nnadapter::nnapi::FindOperation;
using nnadapter::nnapi::Signature;
using nnadapter::nnapi::Word;

constexpr int kOperations = ANEURALNETWORKS_REVERSE + 1, kTypes = ANEURALNETWORKS_MODEL + 1;

}  // namespace

// They stay until the client ends.
uint8_t* Client::Bytes(size_t size) {
  std::vector<uint8_t>& bytes = buffers_.emplace_back(size + 1);
  const uint64_t kind = Below(4);
  for (size_t i = 0; i < size; ++i)
    bytes[i] = kind == 0   ? static_cast<uint8_t>(random_())
               : kind == 1 ? 0
                           : static_cast<uint8_t>(i % 4 == 0 ? Below(3) : 0);  // small int32
  return bytes.data();
}

uint32_t Client::AddOperand(Sketch* sketch, int32_t code, std::vector<uint32_t> dims,
                            bool constant) {
  const auto* info = FindOperandCode(code);
  if (!info->tensor) dims.clear();
  ANeuralNetworksOperandType type{code, static_cast<uint32_t>(dims.size()), dims.data(),
                                  info->scaled ? 0.5f : 0.0f, 0};
  if (Once(60)) type.zeroPoint = static_cast<int32_t>(Below(300));
  if (Once(100)) type.scale = -1;
  if (!Code(ANeuralNetworksModel_addOperand(sketch->model, &type))) {
    if (sketch->codes.empty()) return 0;
    return static_cast<uint32_t>(Below(sketch->codes.size()));
  }
  const auto index = static_cast<uint32_t>(sketch->codes.size());
  size_t size = info->size;
  for (uint32_t extent : dims) size *= extent;
  sketch->codes.push_back(code);
  sketch->dims.push_back(dims);
  const auto at = static_cast<int32_t>(index);
  if (code == ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL && !dims.empty() && !Once(20)) {
    const std::vector<float> scales(dims[0], 0.25f);
    const ANeuralNetworksSymmPerChannelQuantParams params{0, dims[0], scales.data()};
    Code(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(sketch->model, at, &params));
  }
  if (code == ANEURALNETWORKS_MODEL) {
    Code(ANeuralNetworksModel_setOperandValueFromModel(sketch->model, at, Any(models_)));
  } else if (constant && Once(30)) {
    Code(ANeuralNetworksModel_setOperandValue(sketch->model, at, nullptr, 0));
  } else if (constant && Once(12)) {
    Code(ANeuralNetworksModel_setOperandValueFromMemory(sketch->model, at, Any(memories_), Below(9),
                                                        size));
  } else if (constant) {
    Code(ANeuralNetworksModel_setOperandValue(sketch->model, at, Bytes(size),
                                              Once(50) ? size + 1 : size));
  } else {
    sketch->inputs.push_back(index);
  }
  return index;
}

// One of the table's, after one of its signatures; its results may be read by the next.
void Client::AddOperation(Sketch* sketch) {
  const auto code = static_cast<int32_t>(Below(kOperations));
  const auto& signatures = FindOperation(code)->signatures;
  const Signature& signature = signatures[Below(signatures.size())];
  static const uint32_t kExtents[] = {1, 2, 3, 4, 8};
  std::vector<uint32_t> shape(Once(3) ? 4 : Below(4) + 1);
  for (uint32_t& extent : shape) extent = Once(15) ? 0 : kExtents[Below(5)];
  int32_t bound[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
  const auto type_of = [&](const Word& word) {
    if (word.variable > 0 && bound[word.variable] >= 0) return bound[word.variable];
    int32_t type = 0;
    do type = static_cast<int32_t>(Below(kTypes));
    while (!(word.types >> type & 1));
    if (word.variable > 0) bound[word.variable] = type;
    return type;
  };
  std::vector<uint32_t> inputs, outputs;
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    if (i >= signature.required && Once(2)) break;
    const Word& word = signature.inputs[i];
    for (uint64_t n = word.repeated ? Below(4) : 1; n > 0; --n) {
      const int32_t type = type_of(word);
      std::vector<uint32_t> dims = shape;
      if (i > 0 && Once(3)) dims.resize(1 + Below(dims.size()));
      if (i > 0 && type == ANEURALNETWORKS_TENSOR_INT32) dims = {kExtents[Below(5)]};
      std::vector<uint32_t> fitting;
      for (uint32_t known : sketch->outputs)
        if (sketch->codes[known] == type) fitting.push_back(known);
      if (!fitting.empty() && Once(2))
        inputs.push_back(fitting[Below(fitting.size())]);
      else
        inputs.push_back(AddOperand(sketch, type, dims, i > 0 && !Once(10)));
    }
  }
  for (const Word& word : signature.outputs) {
    for (uint64_t n = word.repeated ? 1 + Below(3) : 1; n > 0; --n) {
      std::vector<uint32_t> dims = Once(2) ? std::vector<uint32_t>() : shape;
      const uint32_t index = AddOperand(sketch, type_of(word), dims, false);
      if (!sketch->inputs.empty() && sketch->inputs.back() == index) sketch->inputs.pop_back();
      outputs.push_back(index);
    }
  }
  if (Once(40)) std::swap(inputs, outputs);
  if (Code(ANeuralNetworksModel_addOperation(
          sketch->model, code, static_cast<uint32_t>(inputs.size()), inputs.data(),
          static_cast<uint32_t>(outputs.size()), outputs.data())))
    sketch->outputs.insert(sketch->outputs.end(), outputs.begin(), outputs.end());
}

// One that is right, unless AddOperand made it wrong: so that there is much to compute.
void Client::AddSum(Sketch* sketch) {
  static const int32_t kTensors[] = {ANEURALNETWORKS_TENSOR_FLOAT32, ANEURALNETWORKS_TENSOR_FLOAT16,
                                     ANEURALNETWORKS_TENSOR_QUANT8_ASYMM,
                                     ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED,
                                     ANEURALNETWORKS_TENSOR_INT32};
  const int32_t code = kTensors[Below(5)], none = 0;
  const std::vector<uint32_t> dims{Once(3) ? 0 : static_cast<uint32_t>(1 + Below(4)), 3};
  const uint32_t a = AddOperand(sketch, code, dims, false);
  const uint32_t b = AddOperand(sketch, code, {3}, Once(2));
  const uint32_t act = AddOperand(sketch, ANEURALNETWORKS_INT32, {}, true);
  const uint32_t sum = AddOperand(sketch, code, dims, false);
  if (!sketch->inputs.empty() && sketch->inputs.back() == sum) sketch->inputs.pop_back();
  Code(ANeuralNetworksModel_setOperandValue(sketch->model, static_cast<int32_t>(act), &none, 4));
  const uint32_t inputs[] = {a, b, act};
  if (Code(ANeuralNetworksModel_addOperation(sketch->model, ANEURALNETWORKS_ADD, 3, inputs, 1,
                                             &sum)))
    sketch->outputs.push_back(sum);
}

void Client::BuildModel() {
  Sketch sketch;
  Code(ANeuralNetworksModel_create(&sketch.model));
  if (Once(2))
    AddSum(&sketch);
  else
    for (uint64_t n = 1 + Below(3); n > 0; --n) AddOperation(&sketch);
  if (Once(4)) Code(ANeuralNetworksModel_relaxComputationFloat32toFloat16(sketch.model, true));
  Code(ANeuralNetworksModel_identifyInputsAndOutputs(
      sketch.model, static_cast<uint32_t>(sketch.inputs.size()), sketch.inputs.data(),
      static_cast<uint32_t>(sketch.outputs.size()), sketch.outputs.data()));
  Code(ANeuralNetworksModel_finish(sketch.model));
  models_.push_back(sketch.model);
  sketches_.push_back(std::move(sketch));
}

void Client::DisturbModel() {
  ANeuralNetworksModel* model = Any(models_);
  const uint32_t indices[] = {static_cast<uint32_t>(Below(4)), static_cast<uint32_t>(Below(9))};
  const auto index = static_cast<int32_t>(Below(12)) - 1;
  switch (Below(5)) {
    case 0:
      Code(ANeuralNetworksModel_identifyInputsAndOutputs(model, 1, indices, 1, indices + 1));
      break;
    case 1:
      Code(ANeuralNetworksModel_finish(model));
      break;
    case 2:
      Code(ANeuralNetworksModel_setOperandValue(model, index, Bytes(64), Below(64)));
      break;
    case 3:
      Code(ANeuralNetworksModel_setOperandValueFromModel(model, index, Any(models_)));
      break;
    default: {
      ANeuralNetworksDevice* device = nullptr;
      bool supported[64];
      Code(ANeuralNetworks_getDevice(static_cast<uint32_t>(Below(2)), &device));
      Code(ANeuralNetworksModel_getSupportedOperationsForDevices(model, &device, 1, supported));
    }
  }
}

}  // namespace paddle::lite::testing
