#include "lite/core/infer_op.h"

#include "lite/core/infer_context.h"

namespace paddle::lite {

std::optional<OutputMetas> InferOutputs(const OpLite& op,
                                        FunctionRef<KnownInput(size_t slot, size_t index)> input) {
  const size_t slots = op.inputs().size();
  std::vector<std::vector<const TensorMeta*>> metas(slots);
  std::vector<std::vector<const Tensor*>> known(slots);
  for (size_t s = 0; s < slots; ++s)
    for (size_t i = 0; i < op.inputs()[s].size(); ++i) {
      const KnownInput one = input(s, i);
      if (one.meta == nullptr) return std::nullopt;
      metas[s].push_back(one.meta);
      known[s].push_back(one.data);
    }
  OutputMetas outputs;
  for (const auto& slot : op.outputs()) outputs.emplace_back(slot.size());
  InferContext context(op, metas, known, &outputs);
  try {
    if (op.info().infer()) op.info().infer()(context);
  } catch (const NeedsData&) {
    return std::nullopt;
  }
  return outputs;
}

}  // namespace paddle::lite
