// A model as a whole: its order, its bytes.
#include <unordered_map>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/model_copy.h"

namespace nnadapter {
namespace {

bool IsComputed(const core::Operand* operand) {
  return operand && (operand->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE ||
                     operand->type.lifetime == NNADAPTER_TEMPORARY_SHAPE ||
                     operand->type.lifetime == NNADAPTER_MODEL_OUTPUT);
}

// Operations that never become ready are left out, as upstream leaves them.
template <typename Operation, typename Model>
std::vector<Operation*> Sorted(Model* model) {
  std::unordered_map<const core::Operand*, std::vector<Operation*>> readers;
  std::unordered_map<const Operation*, size_t> waits;
  std::vector<Operation*> sorted;
  for (auto& operation : model->operations) {
    size_t& count = waits[&operation];
    for (const core::Operand* input : operation.input_operands) {
      if (!IsComputed(input)) continue;
      readers[input].push_back(&operation);
      ++count;
    }
    if (count == 0) sorted.push_back(&operation);
  }
  for (size_t i = 0; i < sorted.size(); ++i) {
    for (const core::Operand* output : sorted[i]->output_operands) {
      const auto found = readers.find(output);
      if (found == readers.end()) continue;
      for (Operation* reader : found->second) {
        if (--waits[reader] == 0) sorted.push_back(reader);
      }
      readers.erase(found);
    }
  }
  return sorted;
}

}  // namespace

std::vector<core::Operation*> SortOperationsInTopologicalOrder(core::Model* model) {
  return Sorted<core::Operation>(model);
}

std::vector<const core::Operation*> SortOperationsInTopologicalOrder(const core::Model* model) {
  return Sorted<const core::Operation>(model);
}

bool SerializeModel(core::Model* model, std::vector<uint8_t>* buffer) {
  if (!model || !buffer) return false;
  *buffer = hal::ModelCopy(*model).Save();
  return true;
}

bool DeserializeModel(void* buffer, uint64_t size, core::Model** model) {
  if (!buffer || !model) return false;
  const auto* bytes = static_cast<const uint8_t*>(buffer);
  try {
    hal::ModelCopy copy = hal::ModelCopy::Load({bytes, bytes + size});
    *model = new core::Model(std::move(copy.model()));  // nodes of a list keep their addresses
    copy.model() = {};
  } catch (const hal::Error&) {
    return false;
  }
  return true;
}

}  // namespace nnadapter
