#include "lite/nnadapter/runtime/handles.h"

namespace nnadapter::runtime {
namespace {

constexpr int kKindShift = 56;

struct OperandTable {
  Mutex mutex;
  std::unordered_map<const core::Operand*, std::weak_ptr<Model>> models;
};

// Never destroyed: handles may be let go while the process ends.
OperandTable& Operands() {
  static OperandTable* table = new OperandTable;
  return *table;
}

}  // namespace

const char* HandleKindName(HandleKind kind) {
  switch (kind) {
    case HandleKind::kDevice:
      return "device";
    case HandleKind::kContext:
      return "context";
    case HandleKind::kModel:
      return "model";
    case HandleKind::kCompilation:
      return "compilation";
    case HandleKind::kExecution:
      return "execution";
  }
  return "handle";
}

uintptr_t NewHandle(HandleKind kind) {
  static std::atomic<uint64_t> next{1};
  return static_cast<uintptr_t>((static_cast<uint64_t>(kind) << kKindShift) | (next++ << 4));
}

void FailHandle(HandleKind kind, const void* handle) {
  const char* name = HandleKindName(kind);
  if (!handle) FailParameter("the ", name, " is null");
  const uint64_t other = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(handle)) >> kKindShift;
  if (other != static_cast<uint64_t>(kind) && other >= 1 &&
      other <= static_cast<uint64_t>(HandleKind::kExecution)) {
    FailParameter("expected a ", name, ", got a ", HandleKindName(static_cast<HandleKind>(other)));
  }
  FailParameter("no such ", name, ": it was destroyed, or never made by this library");
}

void RememberOperand(const core::Operand* operand, std::weak_ptr<Model> model) {
  OperandTable& table = Operands();
  std::lock_guard<Mutex> lock(table.mutex);
  table.models[operand] = std::move(model);
}

void ForgetOperand(const core::Operand* operand) noexcept {
  OperandTable& table = Operands();
  std::lock_guard<Mutex> lock(table.mutex);
  table.models.erase(operand);
}

std::shared_ptr<Model> ModelOfOperand(const core::Operand* operand) {
  if (!operand) FailParameter("the operand is null");
  OperandTable& table = Operands();
  std::shared_ptr<Model> model;
  {
    std::lock_guard<Mutex> lock(table.mutex);
    auto found = table.models.find(operand);
    if (found != table.models.end()) model = found->second.lock();
  }
  if (!model) FailParameter("no such operand: its model was destroyed, or it was never made");
  return model;
}

}  // namespace nnadapter::runtime
