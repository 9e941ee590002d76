#include "lite/core/truth.h"

#include <algorithm>

namespace paddle::lite {

bool HasOtherTruth(const Tensor& tensor) {
  if (tensor.dtype() != DataType::kBool || !tensor.has_data()) return false;
  const auto* bytes = static_cast<const uint8_t*>(tensor.raw_data());
  return std::any_of(bytes, bytes + tensor.memory_size(), [](uint8_t byte) { return byte > 1; });
}

void MakePlainTruth(Tensor* tensor) {
  if (!HasOtherTruth(*tensor)) return;
  auto* bytes = static_cast<uint8_t*>(tensor->raw_data());
  std::transform(bytes, bytes + tensor->memory_size(), bytes,
                 [](uint8_t byte) -> uint8_t { return byte != 0; });
}

Tensor WithPlainTruth(Tensor tensor) {
  if (!HasOtherTruth(tensor)) return tensor;
  Tensor plain;
  plain.CopyDataFrom(tensor);
  MakePlainTruth(&plain);
  return plain;
}

}  // namespace paddle::lite
