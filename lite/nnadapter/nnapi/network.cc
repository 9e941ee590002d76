#include "lite/nnadapter/nnapi/network.h"

#include <algorithm>

#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {

uint8_t* HostResult::Place(const Dims& shape, size_t size) {
  dims = shape;
  bytes = size;
  own.reset();
  if (buffer && size <= capacity) return buffer;
  own = std::make_shared<std::vector<uint8_t>>(size + 1);  // never null
  return own->data();
}

HostTensor HostResult::Tensor() const {
  return {dims, own, own ? own->data() : buffer, bytes, false};
}

void Limits::Check() const {
  if (deadline && Clock::now() > *deadline)
    Fail(ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT, "the time is over");
}

Network::Network(std::shared_ptr<const Model> model, const Target& target)
    : model_(std::move(model)) {
  Divide(target);
}

// An operation's stage is the one behind its producers' where one of the two is an IF or a WHILE.
void Network::Divide(const Target& target) {
  const auto& operations = model_->operations();
  std::vector<size_t> level_of(model_->operands().size(), 0);
  std::vector<bool> by_control(model_->operands().size(), false), written(by_control);
  std::map<size_t, std::vector<size_t>> levels, controls;
  for (size_t i = 0; i < operations.size(); ++i) {
    const bool control = IsControlFlow(operations[i].code);
    size_t level = 0;
    for (uint32_t index : operations[i].inputs) {
      if (!written[index]) continue;
      level = std::max(level, level_of[index] + (control || by_control[index] ? 1 : 0));
    }
    for (uint32_t index : operations[i].outputs) {
      level_of[index] = level;
      by_control[index] = control;
      written[index] = true;
    }
    (control ? controls : levels)[level].push_back(i);
  }
  std::map<size_t, std::set<uint32_t>> wanted;  // by level: read elsewhere
  for (size_t i = 0; i < operations.size(); ++i) {
    const bool control = IsControlFlow(operations[i].code);
    const size_t level = operations[i].outputs.empty() ? 0 : level_of[operations[i].outputs[0]];
    for (uint32_t index : operations[i].inputs)
      if (written[index] && (control || level_of[index] != level))
        wanted[level_of[index]].insert(index);
  }
  for (uint32_t index : model_->outputs()) wanted[level_of[index]].insert(index);
  const size_t last = std::max(levels.empty() ? 0 : levels.rbegin()->first,
                               controls.empty() ? 0 : controls.rbegin()->first);
  for (size_t level = 0; level <= last; ++level) {
    if (levels.count(level)) {
      stages_.emplace_back();
      stages_.back().segment =
          std::make_unique<Segment>(model_, target, stages_.size(), levels[level], wanted[level]);
    }
    for (size_t i : controls[level]) {
      stages_.emplace_back();
      stages_.back().control = &operations[i];
      for (uint32_t index : operations[i].inputs) {
        const std::shared_ptr<const Model>& child = model_->operands()[index].model;
        if (!child || children_.count(index)) continue;
        Target inner = target;
        // Children are named after what they are and where they stand.
        if (!inner.cache.token.empty()) inner.cache.token += "_" + std::to_string(index);
        children_[index] = std::make_unique<Network>(child, inner);
      }
    }
  }
}

HostTensor Network::ValueOf(uint32_t operand, const Values& values) const {
  const Operand& info = model_->operands()[operand];
  if (info.lifetime == Lifetime::kConstant)
    return {info.type.dims, nullptr, info.data, info.length, false};
  if (info.lifetime == Lifetime::kLeftOut) return {{}, nullptr, nullptr, 0, true};
  return values.at(operand);
}

bool Network::Prepare() {
  bool all = true;
  for (auto& [index, child] : children_) all = child->Prepare() && all;
  std::map<uint32_t, Dims> shapes;
  for (uint32_t index : model_->inputs()) {
    const OperandType& type = model_->operands()[index].type;
    if (IsShapeKnown(type)) shapes[index] = type.dims;
  }
  for (const Stage& stage : stages_) {
    if (stage.control) {
      for (uint32_t index : stage.control->outputs) {
        const OperandType& type = model_->operands()[index].type;
        if (IsShapeKnown(type)) shapes[index] = type.dims;
      }
      continue;
    }
    std::vector<HostTensor> inputs;
    for (uint32_t index : stage.segment->inputs()) {
      const auto known = shapes.find(index);
      if (known == shapes.end()) break;
      inputs.emplace_back();
      inputs.back().dims = known->second;
    }
    if (inputs.size() < stage.segment->inputs().size()) {
      all = false;
      continue;
    }
    try {
      stage.segment->Prepare(inputs, &shapes);
    } catch (const NeedsValue&) {
      all = false;  // compiled when it runs
    }
  }
  return all;
}

void Network::Run(const std::vector<HostTensor>& inputs, const std::vector<HostResult*>& results,
                  const Limits& limits) {
  Values values;
  for (size_t i = 0; i < inputs.size(); ++i) values[model_->inputs()[i]] = inputs[i];
  std::map<uint32_t, HostResult*> wanted;
  for (size_t i = 0; i < results.size(); ++i) wanted[model_->outputs()[i]] = results[i];
  for (const Stage& stage : stages_) {
    limits.Check();
    const std::vector<uint32_t>& outputs =
        stage.control ? stage.control->outputs : stage.segment->outputs();
    std::list<HostResult> inner;
    std::vector<HostResult*> places;
    for (uint32_t index : outputs) {
      const auto found = wanted.find(index);
      places.push_back(found == wanted.end() ? &inner.emplace_back() : found->second);
    }
    if (stage.segment) {
      std::vector<HostTensor> given;
      for (uint32_t index : stage.segment->inputs()) given.push_back(values.at(index));
      stage.segment->Run(given, places);
    } else if (stage.control->code == ANEURALNETWORKS_IF) {
      RunIf(*stage.control, values, places, limits);
    } else {
      RunWhile(*stage.control, values, places, limits);
    }
    for (size_t i = 0; i < outputs.size(); ++i) values[outputs[i]] = places[i]->Tensor();
  }
}

namespace {

bool Truth(const HostTensor& tensor) {
  if (tensor.bytes != 1) Fail(ANEURALNETWORKS_OP_FAILED, "a condition is no single truth");
  return tensor.data[0] != 0;
}

void CopyTo(const HostTensor& from, HostResult* to) {
  uint8_t* place = to->Place(from.dims, from.bytes);
  std::copy(from.data, from.data + from.bytes, place);
}

}  // namespace

void Network::RunIf(const Operation& operation, const Values& values,
                    const std::vector<HostResult*>& results, const Limits& limits) {
  const bool truth = Truth(ValueOf(operation.inputs[0], values));
  std::vector<HostTensor> inputs;
  for (size_t i = 3; i < operation.inputs.size(); ++i)
    inputs.push_back(ValueOf(operation.inputs[i], values));
  Child(operation.inputs[truth ? 1 : 2]).Run(inputs, results, limits);
}

void Network::RunWhile(const Operation& operation, const Values& values,
                       const std::vector<HostResult*>& results, const Limits& limits) {
  Network& condition = Child(operation.inputs[0]);
  Network& body = Child(operation.inputs[1]);
  std::vector<HostTensor> state;
  for (size_t i = 2; i < operation.inputs.size(); ++i)
    state.push_back(ValueOf(operation.inputs[i], values));
  const Clock::time_point end = Clock::now() + limits.loop;
  for (;;) {
    HostResult truth;
    condition.Run(state, {&truth}, limits);
    if (!Truth(truth.Tensor())) break;
    if (Clock::now() > end)
      Fail(ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT, "a WHILE took longer than its timeout");
    std::vector<HostResult> next(body.model_->outputs().size());
    std::vector<HostResult*> places;
    for (HostResult& result : next) places.push_back(&result);
    body.Run(state, places, limits);
    for (size_t i = 0; i < next.size(); ++i) state[i] = next[i].Tensor();
  }
  for (size_t i = 0; i < results.size(); ++i) CopyTo(state[i], results[i]);
}

}  // namespace nnadapter::nnapi
