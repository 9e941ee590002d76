// Walking and changing a core::Model.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <list>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "nnadapter/hal/operand.h"

namespace nnadapter {
namespace hal {

// Brings the operations into an order in which each stands behind those that it reads from; those
// that are free keep their order. InvalidParameter where there is a cycle.
inline void SortOperations(core::Model* model) {
  std::unordered_map<const core::Operand*, std::list<core::Operation>::iterator> producers;
  for (auto it = model->operations.begin(); it != model->operations.end(); ++it) {
    for (const core::Operand* output : it->output_operands) {
      if (output) producers[output] = it;
    }
  }
  using Position = std::list<core::Operation>::iterator;
  std::unordered_map<const core::Operation*, int> state;  // 1 being visited, 2 placed
  std::vector<Position> order;
  for (auto root = model->operations.begin(); root != model->operations.end(); ++root) {
    std::vector<std::pair<Position, size_t>> stack{{root, 0}};
    if (state[&*root]) continue;
    state[&*root] = 1;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == at->input_operands.size()) {
        state[&*at] = 2;
        order.push_back(at);
        stack.pop_back();
        continue;
      }
      const auto producer = producers.find(at->input_operands[next++]);
      if (producer == producers.end()) continue;
      int& seen = state[&*producer->second];
      if (seen == 1)
        throw InvalidParameter(Text("a cycle through ", OperationName(producer->second->type)));
      if (seen == 2) continue;
      seen = 1;
      stack.push_back({producer->second, 0});
    }
  }
  for (const Position& position : order)
    model->operations.splice(model->operations.end(), model->operations, position);
}

// Gives a type scales of its own, made with malloc, in place of another's.
inline void OwnScales(NNAdapterOperandType* type) {
  if (!IsSymmPerChannel(type->precision)) return;
  NNAdapterSymmPerChannelQuantParams& params = type->symm_per_channel_params;
  if (!params.scales) return;
  const size_t bytes = params.scale_count * sizeof(float);
  void* copy = std::malloc(std::max<size_t>(bytes, 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, params.scales, bytes);
  params.scales = static_cast<const float*>(copy);
}

// Frees what an operand owns: the buffer of a CONSTANT_COPY (never that of a CONSTANT_REFERENCE),
// its scales and its hints.
inline void ClearOperand(core::Operand* operand) {
  if (operand->type.lifetime == NNADAPTER_CONSTANT_COPY) std::free(operand->buffer);
  operand->buffer = nullptr;
  operand->length = 0;
  if (IsSymmPerChannel(operand->type.precision)) {
    std::free(const_cast<float*>(operand->type.symm_per_channel_params.scales));
    operand->type.symm_per_channel_params = {};
  }
  for (core::Hint& hint : operand->hints) {
    if (hint.handler && hint.deleter) hint.deleter(&hint.handler);
    hint = {};
  }
}

// A model with who makes and who reads each operand. Operations and operands may only be changed
// through it while it is in use.
class Graph {
 public:
  explicit Graph(core::Model* model) : model_(model) {
    for (auto it = model->operands.begin(); it != model->operands.end(); ++it) operands_[&*it] = it;
    for (auto it = model->operations.begin(); it != model->operations.end(); ++it) {
      operations_[&*it] = it;
      Index(&*it);
    }
    inputs_.insert(model->input_operands.begin(), model->input_operands.end());
    outputs_.insert(model->output_operands.begin(), model->output_operands.end());
  }

  core::Model& model() { return *model_; }

  // The operations at the time of the call: they may be changed while the list is walked; ask
  // Alive.
  std::vector<core::Operation*> Operations() {
    std::vector<core::Operation*> result;
    for (core::Operation& operation : model_->operations) result.push_back(&operation);
    return result;
  }
  bool Alive(const core::Operation* operation) const { return operations_.count(operation) > 0; }

  // Who computes an operand: null for inputs and constants.
  core::Operation* Producer(const core::Operand* operand) const {
    const auto found = producers_.find(operand);
    return found == producers_.end() ? nullptr : found->second;
  }
  // Who reads it, once for each time.
  std::vector<core::Operation*> Readers(const core::Operand* operand) const {
    const auto found = readers_.find(operand);
    return found == readers_.end() ? std::vector<core::Operation*>() : found->second;
  }
  bool IsOutput(const core::Operand* operand) const { return outputs_.count(operand) > 0; }
  bool IsInput(const core::Operand* operand) const { return inputs_.count(operand) > 0; }

  // The one operation that reads an operand once, where nothing else needs it.
  core::Operation* OnlyReader(const core::Operand* operand) const {
    const auto found = readers_.find(operand);
    const bool one = found != readers_.end() && found->second.size() == 1 && !IsOutput(operand);
    return one ? found->second[0] : nullptr;
  }

  // Puts another operand (or null) at an input position; the old one goes if nothing needs it.
  void SetInput(core::Operation* operation, size_t position, core::Operand* operand) {
    if (operation->input_operands.size() <= position)
      operation->input_operands.resize(position + 1);
    core::Operand* old = std::exchange(operation->input_operands[position], operand);
    if (old == operand) return;
    if (operand) readers_[operand].push_back(operation);
    Forget(old, operation);
  }

  // Lets an operation compute another operand instead.
  void SetOutput(core::Operation* operation, size_t position, core::Operand* operand) {
    core::Operand* old = std::exchange(operation->output_operands[position], operand);
    if (old == operand) return;
    producers_[operand] = operation;
    if (Producer(old) == operation) producers_.erase(old);
    RemoveIfUnused(old);
  }

  // Lets an operation compute what another one computes, and removes the other.
  void TakeOver(core::Operation* operation, core::Operation* other) {
    SetOutput(operation, 0, &Output(*other));
    Remove(other);
  }

  // Lets everyone who reads `from` read `to`. Model outputs stay what they are.
  void ReplaceReads(core::Operand* from, core::Operand* to) {
    for (core::Operation* reader : Readers(from)) {
      for (core::Operand*& input : reader->input_operands) {
        if (input != from) continue;
        input = to;
        readers_[to].push_back(reader);
      }
    }
    readers_.erase(from);
  }

  // Removes an operation, and operands that nothing needs any more.
  void Remove(core::Operation* operation) {
    const auto at = operations_.find(operation);
    const std::vector<core::Operand*> inputs = operation->input_operands;
    const std::vector<core::Operand*> outputs = operation->output_operands;
    const std::list<core::Operation>::iterator position = at->second;
    operations_.erase(at);
    for (core::Operand* output : outputs) {
      if (Producer(output) == operation) producers_.erase(output);
    }
    for (core::Operand* input : inputs) Forget(input, operation);
    for (core::Operand* output : outputs) RemoveIfUnused(output);
    model_->operations.erase(position);
  }

  // Scales are copied.
  core::Operand* AddOperand(NNAdapterOperandType type) {
    OwnScales(&type);
    model_->operands.emplace_back();
    core::Operand* operand = &model_->operands.back();
    operand->type = type;
    operands_[operand] = std::prev(model_->operands.end());
    return operand;
  }

  // A result like another operand.
  core::Operand* AddTemporary(const NNAdapterOperandType& like) {
    NNAdapterOperandType type = like;
    type.lifetime = NNADAPTER_TEMPORARY_VARIABLE;
    return AddOperand(type);
  }

  // A constant that owns a copy of the elements.
  core::Operand* AddConstant(const NNAdapterOperandType& like, const void* elements) {
    NNAdapterOperandType type = like;
    type.lifetime = NNADAPTER_CONSTANT_COPY;
    const size_t bytes = static_cast<size_t>(ElementCount(type)) * PrecisionSize(type.precision);
    if (bytes > UINT32_MAX) throw NotSupported("a constant of 4 GiB");
    void* buffer = std::malloc(std::max<size_t>(bytes, 1));
    if (!buffer) throw std::bad_alloc();
    if (bytes) std::memcpy(buffer, elements, bytes);
    core::Operand* operand = AddOperand(type);
    operand->buffer = buffer;
    operand->length = static_cast<uint32_t>(bytes);
    return operand;
  }
  core::Operand* AddFloats(const std::vector<float>& values, const std::vector<int32_t>& dims) {
    return AddConstant(Type(NNADAPTER_FLOAT32, dims), values.data());
  }
  core::Operand* AddInt32(int32_t value) { return AddConstant(Type(NNADAPTER_INT32, {1}), &value); }

  static NNAdapterOperandType Type(NNAdapterOperandPrecisionCode precision,
                                   const std::vector<int32_t>& dims) {
    NNAdapterOperandType type{};
    type.precision = precision;
    SetDims(&type, dims);
    return type;
  }

  // The operation behind another in the model's order, or null.
  core::Operation* After(const core::Operation* operation) const {
    const auto next = std::next(operations_.at(operation));
    return next == model_->operations.end() ? nullptr : &*next;
  }

  // Adds an operation before another, or at the end.
  core::Operation* AddOperation(NNAdapterOperationType type, std::vector<core::Operand*> inputs,
                                std::vector<core::Operand*> outputs,
                                core::Operation* before = nullptr) {
    const auto at = before ? operations_.at(before) : model_->operations.end();
    const auto it = model_->operations.insert(at, {type, std::move(inputs), std::move(outputs)});
    operations_[&*it] = it;
    Index(&*it);
    return &*it;
  }

 private:
  void Index(core::Operation* operation) {
    for (core::Operand* output : operation->output_operands) {
      if (output) producers_[output] = operation;
    }
    for (core::Operand* input : operation->input_operands) {
      if (input) readers_[input].push_back(operation);
    }
  }

  void Forget(core::Operand* operand, core::Operation* reader) {
    if (!operand) return;
    auto& readers = readers_[operand];
    const auto found = std::find(readers.begin(), readers.end(), reader);
    if (found != readers.end()) readers.erase(found);
    RemoveIfUnused(operand);
  }

  void RemoveIfUnused(core::Operand* operand) {
    const auto at = operands_.find(operand);
    if (at == operands_.end() || IsInput(operand) || IsOutput(operand) || Producer(operand)) return;
    const auto readers = readers_.find(operand);
    if (readers != readers_.end() && !readers->second.empty()) return;
    if (readers != readers_.end()) readers_.erase(readers);
    ClearOperand(operand);
    const std::list<core::Operand>::iterator position = at->second;
    operands_.erase(at);
    model_->operands.erase(position);
  }

  core::Model* model_;
  std::unordered_map<const core::Operand*, std::list<core::Operand>::iterator> operands_;
  std::unordered_map<const core::Operation*, std::list<core::Operation>::iterator> operations_;
  std::unordered_map<const core::Operand*, core::Operation*> producers_;
  std::unordered_map<const core::Operand*, std::vector<core::Operation*>> readers_;
  std::unordered_set<const core::Operand*> inputs_;
  std::unordered_set<const core::Operand*> outputs_;
};

}  // namespace hal
}  // namespace nnadapter
