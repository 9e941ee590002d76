// Scope: a tree of named variables. A predictor's root holds feed and fetch, its child what running
// computes. Parameters are constants of the graph, which clones share.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <string>

#include "lite/core/variable.h"

namespace paddle::lite {

class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // A new child that lives as long as this scope.
  Scope& NewScope() { return kids_.emplace_back(); }
  // The variable of that name, made where there is none. Its address never changes.
  Variable* Var(const std::string& name) { return &vars_[name]; }

 private:
  std::list<Scope> kids_;
  std::map<std::string, Variable> vars_;
};

}  // namespace paddle::lite
