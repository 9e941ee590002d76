#include "lite/kernels/nnadapter/block_shapes.h"

#include <algorithm>

#include "lite/core/base/errors.h"
#include "lite/core/infer_op.h"
#include "lite/core/plan/execute.h"
#include "lite/kernels/nnadapter/compiled_block.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// Whether an operator computes in integers, which shape inference does not know.
bool HasScales(const OpDesc& op) {
  const std::string ending = "_scale";
  return std::any_of(op.attrs.begin(), op.attrs.end(), [&](const auto& attr) {
    const std::string& name = attr.first;
    return name.size() > ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
  });
}

constexpr int64_t kMostComputed = 64;  // a shape, an index: never bulk data

}  // namespace

ValueId BlockShapes::IdOf(const std::string& name) {
  const auto [at, is_new] = ids_.emplace(name, static_cast<ValueId>(variables_.size()));
  if (is_new) variables_.emplace_back();
  return at->second;
}

OpLite::Slots BlockShapes::IdsOf(const std::map<std::string, std::vector<std::string>>& slots) {
  OpLite::Slots result;
  for (const auto& [slot, names] : slots)
    for (const std::string& name : names) result[slot].push_back(IdOf(name));
  return result;
}

void BlockShapes::Set(const std::string& name, TensorMeta meta, const Tensor* data) {
  variables_[static_cast<size_t>(IdOf(name))] = {true, std::move(meta), data};
}

bool BlockShapes::SetInputs(const BlockDesc& block,
                            const std::map<std::string, const VarDesc*>& vars,
                            const std::map<std::string, Tensor>& params,
                            const std::map<std::string, std::vector<int64_t>>& shapes) {
  for (const OpDesc& op : block.ops) {
    if (op.type != "feed") continue;
    for (const auto& [slot, names] : op.outputs)
      for (const std::string& name : names) {
        const auto var = vars.find(name);
        if (var == vars.end() || !IsDataType(var->second->data_type)) return false;
        const auto given = shapes.find(name);
        const DDim dims(given == shapes.end() ? var->second->dims : given->second);
        if (std::any_of(dims.begin(), dims.end(), [](int64_t dim) { return dim < 0; }))
          return false;
        Set(name, {dims, static_cast<DataType>(var->second->data_type), {}});
      }
  }
  for (const auto& [name, param] : params)
    Set(name, param.meta(), param.has_data() ? &param : nullptr);
  return true;
}

const Tensor* BlockShapes::DataOf(const std::string& name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? nullptr : variables_[static_cast<size_t>(found->second)].data;
}

const TensorMeta* BlockShapes::Find(const std::string& name) const {
  const auto found = ids_.find(name);
  if (found == ids_.end()) return nullptr;
  const Variable& variable = variables_[static_cast<size_t>(found->second)];
  return variable.known ? &variable.meta : nullptr;
}

bool BlockShapes::Infer(const OpDesc& desc) {
  const OpInfo* info = OpRegistry::Global().Find(desc.type);
  if (info == nullptr || !info->infer()) return false;
  try {
    const OpLite op(info, IdsOf(desc.inputs), IdsOf(desc.outputs), desc.attrs);
    const bool in_floats = HasScales(desc);
    std::deque<TensorMeta> floats;
    auto outputs = InferOutputs(op, [&](size_t s, size_t i) {
      const Variable& variable = variables_[static_cast<size_t>(op.inputs()[s][i])];
      const TensorMeta* meta = variable.known ? &variable.meta : nullptr;
      if (in_floats && meta != nullptr && meta->dtype == DataType::kInt8) {
        floats.push_back(*meta);
        floats.back().dtype = DataType::kFP32;
        meta = &floats.back();
      }
      return KnownInput{meta, variable.data};
    });
    if (!outputs) return false;
    for (size_t s = 0; s < outputs->size(); ++s)
      for (size_t i = 0; i < (*outputs)[s].size(); ++i)
        variables_[static_cast<size_t>(op.outputs()[s][i])] = {
            !info->data_dependent(), std::move((*outputs)[s][i]), nullptr};
    if (counted_.count(desc.type) != 0 && !info->data_dependent()) Compute(op);
    return true;
  } catch (const LiteError&) {
    return false;
  }
}

void BlockShapes::InferOrForget(const OpDesc& op) {
  if (Infer(op)) return;
  for (const auto& [slot, names] : op.outputs)
    for (const std::string& name : names) variables_[static_cast<size_t>(IdOf(name))] = {};
}

void BlockShapes::Compute(const OpLite& op) {
  std::vector<std::vector<const Tensor*>> inputs;
  std::vector<std::vector<Tensor*>> outputs;
  const bool measures = op.type() == "shape";  // its input's elements do not matter
  for (const auto& slot : op.inputs()) {
    inputs.emplace_back();
    for (const ValueId id : slot) inputs.back().push_back(variables_[static_cast<size_t>(id)].data);
    if (!measures && std::count(inputs.back().begin(), inputs.back().end(), nullptr) > 0) return;
  }
  for (const auto& slot : op.outputs())
    for (const ValueId id : slot)
      if (variables_[static_cast<size_t>(id)].meta.dims.production() > kMostComputed) return;
  for (const auto& slot : op.outputs()) {
    outputs.emplace_back();
    for (const ValueId id : slot) {
      computed_.emplace_back(variables_[static_cast<size_t>(id)].meta);
      outputs.back().push_back(&computed_.back());
    }
  }
  if (measures) {
    const DDim& dims = variables_[static_cast<size_t>(op.inputs()[0][0])].meta.dims;
    Tensor& extents = *outputs[0][0];
    if (extents.dtype() != DataType::kInt32) return;
    std::copy(dims.begin(), dims.end(), extents.mutable_data<int32_t>());
  } else {
    InferAndRun(op, inputs, outputs, 1);
  }
  for (size_t s = 0; s < outputs.size(); ++s)
    for (size_t i = 0; i < outputs[s].size(); ++i)
      variables_[static_cast<size_t>(op.outputs()[s][i])].data = outputs[s][i];
}

BlockShapes ShapesIn(const BlockSource& source, const std::vector<const Tensor*>& inputs,
                     const std::vector<DDim>* shapes) {
  std::set<std::string> types;
  for (const OpDesc& op : source.block->ops) types.insert(op.type);
  BlockShapes found(types);
  for (size_t i = 0; i < inputs.size(); ++i)
    found.Set((*source.input_names)[i], inputs[i]->meta(), inputs[i]);
  for (size_t i = 0; i < source.data_inputs->size(); ++i) {
    const size_t at = (*source.data_inputs)[i];
    const DDim& dims = shapes != nullptr ? (*shapes)[i] : inputs[at]->dims();
    found.Set((*source.input_names)[at], {dims, inputs[at]->dtype(), {}});
  }
  for (const OpDesc& op : source.block->ops) found.InferOrForget(op);
  return found;
}

}  // namespace paddle::lite::nnadapter_bridge
