// Variable: a named place of a Scope that holds a value of any type, checked on access.
#pragma once

#include <any>
#include <typeinfo>

#include "lite/core/base/errors.h"

namespace paddle::lite {

class Variable {
 public:
  // The value as T, made first where the variable is empty. Throws where it holds another type.
  template <typename T>
  T* GetMutable() {
    if (!value_.has_value()) value_.emplace<T>();
    T* value = std::any_cast<T>(&value_);
    if (value == nullptr)
      throw LiteError(StrCat("a variable holds ", value_.type().name(), ", but ", typeid(T).name(),
                             " was asked for"));
    return value;
  }

 private:
  std::any value_;
};

}  // namespace paddle::lite
