#include "lite/core/truth.h"

#include "lite/core/base/truth.h"

namespace paddle::lite {

bool HasOtherTruth(const Tensor& tensor) {
  return tensor.dtype() == DataType::kBool && tensor.has_data() &&
         HasOtherTruth(tensor.raw_data(), tensor.memory_size());
}

void MakePlainTruth(Tensor* tensor) {
  if (HasOtherTruth(*tensor)) MakePlainTruth(tensor->raw_data(), tensor->memory_size());
}

Tensor WithPlainTruth(Tensor tensor) {
  if (!HasOtherTruth(tensor)) return tensor;
  Tensor plain;
  plain.CopyDataFrom(tensor);
  MakePlainTruth(&plain);
  return plain;
}

}  // namespace paddle::lite
