// OutputLoDs.
#include <algorithm>

#include "lite/kernels/nnadapter/block_shapes.h"
#include "lite/kernels/nnadapter/compiled_block.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

void HandOnFirst(const OpDesc& desc, BlockShapes* shapes) {
  LoD lod;
  for (const auto& [slot, names] : desc.inputs)
    for (const std::string& name : names)
      if (const TensorMeta* meta = shapes->Find(name); meta != nullptr && lod.empty())
        lod = meta->lod;
  for (const auto& [slot, names] : desc.outputs)
    for (const std::string& name : names) {
      const TensorMeta* before = shapes->Find(name);
      shapes->Set(name,
                  before ? TensorMeta{before->dims, before->dtype, lod} : TensorMeta{{}, {}, lod});
    }
}

}  // namespace

std::vector<LoD> OutputLoDs(const BlockSource& source, const std::vector<const Tensor*>& inputs) {
  std::vector<LoD> lods(source.data_outputs->size());
  if (std::all_of(source.data_inputs->begin(), source.data_inputs->end(),
                  [&](size_t i) { return inputs[i]->lod().empty(); }))
    return lods;
  BlockShapes shapes;
  for (size_t i = 0; i < inputs.size(); ++i)
    shapes.Set((*source.input_names)[i], inputs[i]->meta(),
               inputs[i]->has_data() ? inputs[i] : nullptr);
  for (const OpDesc& op : source.block->ops)
    if (!shapes.Infer(op)) HandOnFirst(op, &shapes);
  for (size_t i = 0; i < lods.size(); ++i) {
    const TensorMeta* meta = shapes.Find((*source.output_names)[(*source.data_outputs)[i]]);
    if (meta != nullptr) lods[i] = meta->lod;
  }
  return lods;
}

}  // namespace paddle::lite::nnadapter_bridge
