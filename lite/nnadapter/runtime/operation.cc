#include "lite/nnadapter/runtime/operation.h"

#include <cstdio>
#include <cstdlib>

#include "lite/nnadapter/runtime/operation_internal.h"

namespace nnadapter::runtime {

PrecisionSet PrecisionsOf(OperandKind kind, PrecisionSet tensor) {
  switch (kind) {
    case OperandKind::kInt:
    case OperandKind::kInts:
    case OperandKind::kShape:
      return kIndex;
    case OperandKind::kFloat:
    case OperandKind::kFloats:
      return kFloat32 | PrecisionBit(NNADAPTER_FLOAT64);
    case OperandKind::kBool:
      return kBool | PrecisionBit(NNADAPTER_INT8) | PrecisionBit(NNADAPTER_UINT8);
    case OperandKind::kTensor:
      break;
  }
  return tensor;
}

OperationInfo& OperationInfo::Scalar(const char* name, OperandKind kind, bool optional,
                                     const char* doc) {
  return Add(&inputs_, {name, kind, PrecisionsOf(kind, 0), optional, false, doc});
}

OperationRegistry& OperationRegistry::Global() {
  static auto* registry = new OperationRegistry;  // never destroyed: drivers may outlive main()
  return *registry;
}

OperationInfo& OperationRegistry::Declare(NNAdapterOperationType code, const char* name) {
  auto& slot = operations_[code];
  if (slot != nullptr) {
    std::fprintf(stderr, "NNAdapter operation %s is declared twice\n", name);
    std::abort();
  }
  slot = std::make_unique<OperationInfo>(code, name);
  return *slot;
}

const OperationInfo* OperationRegistry::Find(NNAdapterOperationType code) const {
  const auto found = operations_.find(code);
  return found == operations_.end() ? nullptr : found->second.get();
}

std::vector<const OperationInfo*> OperationRegistry::All() const {
  std::vector<const OperationInfo*> all;
  for (const auto& entry : operations_) all.push_back(entry.second.get());
  return all;
}

}  // namespace nnadapter::runtime
