// Variable: a named place of a Scope that holds a value of any type, checked on access.
#pragma once

#include <any>
#include <typeinfo>

#include "lite/core/errors.h"

namespace paddle::lite {

class Variable {
 public:
  // The value as T. Throws LiteError where the variable is empty or holds another type.
  template <typename T>
  const T& Get() const {
    const T* value = std::any_cast<T>(&value_);
    if (value == nullptr)
      throw LiteError(StrCat("a variable holds ", value_.type().name(), ", but ", typeid(T).name(),
                             " was asked for"));
    return *value;
  }
  // The value as T, made first where the variable is empty. Throws where it holds another type.
  template <typename T>
  T* GetMutable() {
    if (!value_.has_value()) value_.emplace<T>();
    Get<T>();
    return std::any_cast<T>(&value_);
  }
  template <typename T>
  bool IsType() const {
    return value_.type() == typeid(T);
  }
  bool IsInitialized() const { return value_.has_value(); }
  void Clear() { value_.reset(); }

 private:
  std::any value_;
};

}  // namespace paddle::lite
