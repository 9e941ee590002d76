#include "lite/nnadapter/nnapi/model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/nnadapter/nnapi/digest.h"
#include "lite/nnadapter/nnapi/memory.h"
#include "lite/nnadapter/nnapi/signature.h"
#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {
namespace {

void CheckQuantisation(const ANeuralNetworksOperandType& type, const OperandCodeInfo& info) {
  const std::string name = info.name;
  if (info.scaled) {
    if (!(type.scale > 0) || !std::isfinite(type.scale))
      FailData(name, " needs a scale above 0, given is ", type.scale);
  } else if (type.type == ANEURALNETWORKS_TENSOR_INT32) {
    if (!(type.scale >= 0) || !std::isfinite(type.scale))
      FailData(name, " has a scale of 0 or more, given is ", type.scale);
  } else if (type.scale != 0) {
    FailData(name, " has no scale, given is ", type.scale);
  }
  if (type.zeroPoint < info.least_zero_point || type.zeroPoint > info.most_zero_point)
    FailData(name, " has a zero point from ", info.least_zero_point, " to ", info.most_zero_point,
             ", given is ", type.zeroPoint);
}

void CheckSize(const OperandType& type) {
  uint64_t bytes = ElementSize(type.code);
  for (uint32_t extent : type.dims) {
    bytes *= extent == 0 ? 1 : extent;
    if (bytes > std::numeric_limits<uint32_t>::max() || extent > INT32_MAX)
      FailData(TypeText(type), " is larger than 4 GiB");
  }
}

}  // namespace

OperandType CheckedType(const ANeuralNetworksOperandType& type) {
  const OperandCodeInfo* info = FindOperandCode(type.type);
  if (!info) FailData("there is no operand type ", type.type);
  if (!info->tensor && type.dimensionCount > 0)
    FailData(info->name, " is a scalar, dimensions are given");
  if (type.dimensionCount > 0 && !type.dimensions)
    FailData(type.dimensionCount, " dimensions are announced, none is given");
  constexpr uint32_t kMaxRank = 1024;  // more are no tensor's
  if (type.dimensionCount > kMaxRank) FailData(type.dimensionCount, " dimensions are too many");
  CheckQuantisation(type, *info);
  OperandType checked;
  checked.code = type.type;
  if (type.dimensionCount > 0)
    checked.dims.assign(type.dimensions, type.dimensions + type.dimensionCount);
  checked.scale = type.scale;
  checked.zero_point = type.zeroPoint;
  CheckSize(checked);
  return checked;
}

void Model::RequireBuilding() const {
  if (finished_) FailState("the model is finished");
  if (invalid_) FailState("the model is invalid since its finish failed");
}

Operand& Model::Mutable(int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= operands_.size())
    FailData("there is no operand ", index, ": there are ", operands_.size());
  return operands_[static_cast<size_t>(index)];
}

void Model::RequireIndices(const std::vector<uint32_t>& indices) const {
  for (uint32_t index : indices)
    if (index >= operands_.size())
      FailData("there is no operand ", index, ": there are ", operands_.size());
}

void Model::AddOperand(const ANeuralNetworksOperandType& type) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  OperandType checked = CheckedType(type);
  constexpr size_t kMaxOperands = 1u << 24;
  if (operands_.size() >= kMaxOperands) FailData("a model has at most ", kMaxOperands, " operands");
  operands_.emplace_back();
  operands_.back().type = std::move(checked);
}

void Model::SetValue(int32_t index, const void* buffer, size_t length) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  Operand& operand = Mutable(index);
  if (!buffer) {
    if (length > 0)
      Fail(ANEURALNETWORKS_UNEXPECTED_NULL, "the value of operand ", index, " is null");
    if (operand.lifetime == Lifetime::kInput || operand.lifetime == Lifetime::kOutput)
      FailData("operand ", index, " is an input or output of the model");
    operand.lifetime = Lifetime::kLeftOut;
    return;
  }
  if (operand.type.code == ANEURALNETWORKS_MODEL)
    FailData("operand ", index, " is a model: its value comes from a model");
  RequireValueOf(operand, index, length);
  operand.lifetime = Lifetime::kConstant;
  operand.length = length;
  operand.memory.reset();
  operand.own.clear();
  operand.data = static_cast<const uint8_t*>(buffer);
  if (length <= ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES) {
    operand.own.assign(operand.data, operand.data + length);
    operand.data = nullptr;  // `own` may still move
  }
}

void Model::RequireValueOf(const Operand& operand, int32_t index, size_t length) const {
  if (operand.lifetime == Lifetime::kInput || operand.lifetime == Lifetime::kOutput)
    FailData("operand ", index, " is an input or output of the model");
  if (!IsShapeKnown(operand.type))
    FailData("operand ", index, " is ", TypeText(operand.type), ": a constant's shape is known");
  const size_t expected = ByteSize(operand.type);
  if (length != expected)
    FailData("operand ", index, " is ", TypeText(operand.type), ": ", expected,
             " bytes, given are ", length);
}

void Model::SetValueFromMemory(int32_t index, std::shared_ptr<Memory> memory, size_t offset,
                               size_t length) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  Operand& operand = Mutable(index);
  if (operand.type.code == ANEURALNETWORKS_MODEL)
    FailData("operand ", index, " is a model: its value comes from a model");
  if (memory->desc()) FailData("memory of a descriptor has no value for a model");
  RequireValueOf(operand, index, length);
  memory->CheckPart(offset, length, false);
  operand.lifetime = Lifetime::kConstant;
  operand.length = length;
  operand.data = nullptr;
  operand.own.clear();
  operand.memory = std::move(memory);
  operand.memory_offset = offset;
}

void Model::SetValueFromModel(int32_t index, std::shared_ptr<const Model> model) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  Operand& operand = Mutable(index);
  if (operand.type.code != ANEURALNETWORKS_MODEL)
    FailData("operand ", index, " is ", TypeText(operand.type), ", no model");
  if (model.get() == this || !model->finished())
    FailState("the model of the value is not finished");
  operand.lifetime = Lifetime::kModel;
  operand.model = std::move(model);
}

void Model::SetChannelScales(int32_t index,
                             const ANeuralNetworksSymmPerChannelQuantParams& params) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  OperandType& type = Mutable(index).type;
  if (type.code != ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL)
    FailData("operand ", index, " is ", TypeText(type), ", which has no scales of channels");
  if (params.channelDim >= type.dims.size())
    FailData("operand ", index, " is ", TypeText(type), ": it has no dimension ",
             params.channelDim);
  if (params.scaleCount == 0 || params.scaleCount != type.dims[params.channelDim])
    FailData("dimension ", params.channelDim, " of ", TypeText(type), " needs as many scales, not ",
             params.scaleCount);
  if (!params.scales) Fail(ANEURALNETWORKS_UNEXPECTED_NULL, "the scales are null");
  std::vector<float> scales(params.scales, params.scales + params.scaleCount);
  for (float scale : scales)
    if (!(scale > 0) || !std::isfinite(scale)) FailData("scales are above 0, given is ", scale);
  type.channel_dim = params.channelDim;
  type.channel_scales = std::move(scales);
}

void Model::AddOperation(int32_t code, std::vector<uint32_t> inputs,
                         std::vector<uint32_t> outputs) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  RequireIndices(inputs);
  RequireIndices(outputs);
  Operation operation{code, std::move(inputs), std::move(outputs)};
  CheckSignature(operation, operands_);
  operations_.push_back(std::move(operation));
}

void Model::Identify(std::vector<uint32_t> inputs, std::vector<uint32_t> outputs) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  if (identified_) FailData("inputs and outputs were named before");
  if (outputs.empty()) FailData("a model has an output");
  RequireIndices(inputs);
  RequireIndices(outputs);
  std::vector<uint32_t> all = inputs;
  all.insert(all.end(), outputs.begin(), outputs.end());
  for (uint32_t index : all) {
    const Operand& operand = operands_[index];
    if (operand.lifetime != Lifetime::kTemporary || operand.type.code == ANEURALNETWORKS_MODEL)
      FailData("operand ", index, " has a value: it is no input or output");
  }
  std::sort(all.begin(), all.end());
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end()) FailData("operand ", *twice, " is named twice");
  for (uint32_t index : inputs) operands_[index].lifetime = Lifetime::kInput;
  for (uint32_t index : outputs) operands_[index].lifetime = Lifetime::kOutput;
  inputs_ = std::move(inputs);
  outputs_ = std::move(outputs);
  identified_ = true;
}

void Model::Relax(bool allow) {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  relaxed_ = allow;
}

bool Model::finished() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return finished_;
}

size_t Model::operand_count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return operands_.size();
}

void Model::Finish() {
  std::lock_guard<std::mutex> lock(mutex_);
  RequireBuilding();
  invalid_ = true;  // until all went well
  if (operations_.empty()) FailData("the model has no operation");
  if (!identified_) FailData("inputs and outputs of the model are not named");
  added_index_ = Order();
  std::vector<Operation> ordered;
  for (size_t index : added_index_) ordered.push_back(std::move(operations_[index]));
  operations_ = std::move(ordered);
  CheckReferences();
  CopyValues();
  invalid_ = false;
  finished_ = true;
}

// Who writes what, and that what is read is written; then the order.
std::vector<size_t> Model::Order() const {
  constexpr size_t kNobody = std::numeric_limits<size_t>::max();
  std::vector<size_t> writer(operands_.size(), kNobody);
  for (size_t i = 0; i < operations_.size(); ++i) {
    for (uint32_t index : operations_[i].outputs) {
      const Lifetime lifetime = operands_[index].lifetime;
      if (lifetime != Lifetime::kTemporary && lifetime != Lifetime::kOutput)
        FailData("operation ", i, " writes operand ", index, ", an input or a constant");
      if (writer[index] != kNobody) FailData("operand ", index, " is written twice");
      writer[index] = i;
    }
  }
  std::vector<size_t> waits(operations_.size(), 0);
  std::vector<std::vector<size_t>> readers(operations_.size());
  std::vector<bool> read(operands_.size(), false);
  for (size_t i = 0; i < operations_.size(); ++i) {
    for (uint32_t index : operations_[i].inputs) {
      read[index] = true;
      const Operand& operand = operands_[index];
      const bool computed =
          operand.lifetime == Lifetime::kTemporary || operand.lifetime == Lifetime::kOutput;
      if (!computed) continue;
      if (writer[index] == kNobody)
        FailData("operation ", i, " reads operand ", index, ", which has no value");
      ++waits[i];
      readers[writer[index]].push_back(i);
    }
  }
  for (uint32_t index = 0; index < operands_.size(); ++index) {
    const Lifetime lifetime = operands_[index].lifetime;
    if (writer[index] == kNobody &&
        (lifetime == Lifetime::kOutput || lifetime == Lifetime::kTemporary))
      FailData("operand ", index, " is never written");
  }
  std::vector<size_t> order;
  for (size_t i = 0; i < waits.size(); ++i)
    if (waits[i] == 0) order.push_back(i);
  for (size_t next = 0; next < order.size(); ++next)
    for (size_t reader : readers[order[next]])
      if (--waits[reader] == 0) order.push_back(reader);
  if (order.size() < operations_.size()) FailData("the operations form a cycle");
  return order;
}

// IF and WHILE hand operands to models of their own: those must take them.
void Model::CheckReferences() const {
  for (const Operation& operation : operations_) {
    if (!IsControlFlow(operation.code)) continue;
    const size_t first = operation.code == ANEURALNETWORKS_IF ? 1 : 0;
    const std::vector<uint32_t> given(operation.inputs.begin() + static_cast<long>(first) + 2,
                                      operation.inputs.end());
    for (size_t i = first; i < first + 2; ++i) {
      const Model* model = operands_[operation.inputs[i]].model.get();
      if (!model) FailData("a model that IF or WHILE runs was not set");
      const bool condition = operation.code == ANEURALNETWORKS_WHILE && i == first;
      const bool body = operation.code == ANEURALNETWORKS_WHILE && !condition;
      CheckPassed(given, *model, model->inputs(), "inputs");
      if (condition) {
        const bool truth =
            model->outputs().size() == 1 &&
            model->operands()[model->outputs()[0]].type.code == ANEURALNETWORKS_TENSOR_BOOL8;
        if (!truth) FailData("the condition of a WHILE has one output, a TENSOR_BOOL8");
        continue;
      }
      std::vector<uint32_t> results = model->outputs();
      if (body) {
        if (results.size() < operation.outputs.size() || results.size() > given.size())
          FailData("the body of a WHILE has ", results.size(), " outputs");
        CheckPassed({given.begin(), given.begin() + static_cast<long>(results.size())}, *model,
                    results, "outputs");
        results.resize(operation.outputs.size());
      }
      CheckPassed(operation.outputs, *model, results, "outputs");
    }
  }
}

void Model::CheckPassed(const std::vector<uint32_t>& own, const Model& other,
                        const std::vector<uint32_t>& others, const char* what) const {
  if (own.size() != others.size())
    FailData("a model that IF or WHILE runs has ", others.size(), " ", what, ", the operation ",
             own.size());
  for (size_t i = 0; i < own.size(); ++i) {
    const OperandType& a = operands_[own[i]].type;
    const OperandType& b = other.operands_[others[i]].type;
    bool fits = a.code == b.code && a.scale == b.scale && a.zero_point == b.zero_point &&
                (a.dims.empty() || b.dims.empty() || a.dims.size() == b.dims.size());
    for (size_t axis = 0; fits && axis < std::min(a.dims.size(), b.dims.size()); ++axis)
      fits = a.dims[axis] == 0 || b.dims[axis] == 0 || a.dims[axis] == b.dims[axis];
    if (!fits)
      FailData("of the ", what, " of a model that IF or WHILE runs number ", i, " is ", TypeText(b),
               ", of the operation ", TypeText(a));
  }
}

void Model::CopyValues() {
  for (Operand& operand : operands_) {
    if (operand.lifetime != Lifetime::kConstant) continue;
    if (operand.memory) {
      // Read, not mapped: a file that shrinks would end the process.
      operand.own = operand.memory->Read(operand.memory_offset, operand.length);
      operand.memory.reset();
    } else if (operand.data) {
      operand.own.assign(operand.data, operand.data + operand.length);
    }
    operand.data = operand.own.data();
  }
}

std::string Model::Digest() const {
  class Digest digest;
  for (const Operand& operand : operands_) {
    const OperandType& type = operand.type;
    digest.Add(type.code);
    digest.AddAll(type.dims);
    digest.Add(type.scale);
    digest.Add(type.zero_point);
    digest.Add(type.channel_dim);
    digest.AddAll(type.channel_scales);
    digest.Add(static_cast<int32_t>(operand.lifetime));
    digest.AddAll(operand.own);
    if (operand.model) digest.AddText(operand.model->Digest());
  }
  for (const Operation& operation : operations_) {
    digest.Add(operation.code);
    digest.AddAll(operation.inputs);
    digest.AddAll(operation.outputs);
  }
  digest.AddAll(inputs_);
  digest.AddAll(outputs_);
  digest.Add(relaxed_);
  return digest.Hex();
}

}  // namespace nnadapter::nnapi
