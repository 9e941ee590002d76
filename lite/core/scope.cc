#include "lite/core/scope.h"

namespace paddle::lite {

Scope& Scope::NewScope() {
  kids_.emplace_back();
  kids_.back().parent_ = this;
  return kids_.back();
}

Variable* Scope::FindLocalVar(std::string_view name) const {
  const auto found = vars_.find(name);
  return found == vars_.end() ? nullptr : found->second.get();
}

Variable* Scope::FindVar(std::string_view name) const {
  for (const Scope* scope = this; scope != nullptr; scope = scope->parent_)
    if (Variable* found = scope->FindLocalVar(name)) return found;
  return nullptr;
}

Variable* Scope::LocalVar(const std::string& name) {
  auto& entry = vars_[name];
  if (entry == nullptr) entry = std::make_unique<Variable>();
  return entry.get();
}

Variable* Scope::Var(const std::string& name) {
  Variable* found = FindVar(name);
  return found != nullptr ? found : LocalVar(name);
}

std::vector<std::string> Scope::LocalVarNames() const {
  std::vector<std::string> names;
  for (const auto& [name, variable] : vars_) names.push_back(name);
  return names;
}

}  // namespace paddle::lite
