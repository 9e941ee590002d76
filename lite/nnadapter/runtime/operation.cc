#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {

const OperationRegistry& OperationRegistry::Global() {
  static const auto* registry =
      new OperationRegistry;  // never destroyed: drivers may outlive main()
  return *registry;
}

const OperationInfo* OperationRegistry::Find(NNAdapterOperationType code) const {
  const bool known = code >= 0 && static_cast<size_t>(code) < operations_.size();
  return known ? &operations_[static_cast<size_t>(code)] : nullptr;
}

}  // namespace nnadapter::runtime
