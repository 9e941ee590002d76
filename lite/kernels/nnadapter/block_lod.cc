// OutputLoDs.
#include <algorithm>
#include <map>

#include "lite/core/infer_op.h"
#include "lite/kernels/nnadapter/compiled_block.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

struct Variables {
  std::map<std::string, ValueId> ids;
  std::vector<TensorMeta> metas;
  std::vector<const Tensor*> known;

  ValueId Id(const std::string& name) {
    const auto [at, is_new] = ids.emplace(name, static_cast<ValueId>(metas.size()));
    if (is_new) {
      metas.emplace_back();
      known.push_back(nullptr);
    }
    return at->second;
  }
  OpLite::Slots Ids(const std::map<std::string, std::vector<std::string>>& slots) {
    OpLite::Slots result;
    for (const auto& [slot, names] : slots) {
      std::vector<ValueId>& list = result[slot];
      for (const std::string& name : names) list.push_back(Id(name));
    }
    return result;
  }
};

// False where the operator's shapes do not follow from what is known.
bool Infer(const OpDesc& desc, Variables* vars) {
  const OpInfo* info = OpRegistry::Global().Find(desc.type);
  if (info == nullptr || !info->infer()) return false;
  try {
    const OpLite op(info, vars->Ids(desc.inputs), vars->Ids(desc.outputs), desc.attrs);
    auto outputs = InferOutputs(op, [&](size_t s, size_t i) {
      const auto id = static_cast<size_t>(op.inputs()[s][i]);
      return KnownInput{&vars->metas[id], vars->known[id]};
    });
    if (!outputs) return false;
    for (size_t s = 0; s < outputs->size(); ++s)
      for (size_t i = 0; i < (*outputs)[s].size(); ++i) {
        const auto id = static_cast<size_t>(op.outputs()[s][i]);
        vars->metas[id] = std::move((*outputs)[s][i]);
        vars->known[id] = nullptr;
      }
    return true;
  } catch (const LiteError&) {
    return false;
  }
}

void HandOnFirst(const OpDesc& desc, Variables* vars) {
  LoD lod;
  for (const auto& [slot, names] : desc.inputs)
    for (const std::string& name : names)
      if (lod.empty()) lod = vars->metas[static_cast<size_t>(vars->Id(name))].lod;
  for (const auto& [slot, names] : desc.outputs)
    for (const std::string& name : names) {
      const auto id = static_cast<size_t>(vars->Id(name));
      vars->metas[id].lod = lod;
      vars->known[id] = nullptr;
    }
}

}  // namespace

std::vector<LoD> OutputLoDs(const BlockSource& source, const std::vector<const Tensor*>& inputs) {
  std::vector<LoD> lods(source.data_outputs->size());
  if (std::all_of(source.data_inputs->begin(), source.data_inputs->end(),
                  [&](size_t i) { return inputs[i]->lod().empty(); }))
    return lods;
  Variables vars;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto id = static_cast<size_t>(vars.Id((*source.input_names)[i]));
    vars.metas[id] = inputs[i]->meta();
    if (inputs[i]->has_data()) vars.known[id] = inputs[i];
  }
  for (const OpDesc& op : source.block->ops)
    if (!Infer(op, &vars)) HandOnFirst(op, &vars);
  for (size_t i = 0; i < lods.size(); ++i) {
    const std::string& name = (*source.output_names)[(*source.data_outputs)[i]];
    lods[i] = vars.metas[static_cast<size_t>(vars.Id(name))].lod;
  }
  return lods;
}

}  // namespace paddle::lite::nnadapter_bridge
