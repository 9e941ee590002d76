// Scope: a tree of named variables. The root holds parameters, feed and fetch; a child holds what
// one execution computes.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lite/core/variable.h"

namespace paddle::lite {

class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // A new child that lives as long as this scope.
  Scope& NewScope();
  const Scope* parent() const { return parent_; }

  // The variable of that name here or above, made here where there is none.
  Variable* Var(const std::string& name);
  // The variable of that name here, made where there is none.
  Variable* LocalVar(const std::string& name);
  // Null where the name is unknown here and above.
  Variable* FindVar(std::string_view name) const;
  Variable* FindLocalVar(std::string_view name) const;
  std::vector<std::string> LocalVarNames() const;

 private:
  const Scope* parent_ = nullptr;
  std::list<Scope> kids_;
  std::map<std::string, std::unique_ptr<Variable>, std::less<>> vars_;
};

}  // namespace paddle::lite
