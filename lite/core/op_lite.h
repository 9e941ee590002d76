// OpLite: one operator of a graph, its slots and attributes in the order of its OpInfo.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lite/core/attribute.h"
#include "lite/core/base/errors.h"
#include "lite/core/op_registry.h"

namespace paddle::lite {

using ValueId = int;

class OpLite {
 public:
  using Slots = std::map<std::string, std::vector<ValueId>>;

  // Checks the slots and attributes against the operator's declaration and fills in defaults.
  // Unknown attributes are ignored, so are unknown slots without arguments.
  // Throws ModelFormatError naming what is missing or of another type.
  OpLite(const OpInfo* info, const Slots& inputs, const Slots& outputs,
         const AttributeMap& attributes);

  const OpInfo& info() const { return *info_; }
  const std::string& type() const { return info_->type(); }

  // Values by slot position; an absent slot is an empty list.
  std::vector<std::vector<ValueId>>& inputs() { return inputs_; }
  const std::vector<std::vector<ValueId>>& inputs() const { return inputs_; }
  std::vector<std::vector<ValueId>>& outputs() { return outputs_; }
  const std::vector<std::vector<ValueId>>& outputs() const { return outputs_; }
  const std::vector<ValueId>& Input(std::string_view slot) const {
    return inputs_[InputSlot(slot)];
  }
  const std::vector<ValueId>& Output(std::string_view slot) const {
    return outputs_[OutputSlot(slot)];
  }
  // A slot's position. A name that is not declared is a mistake in the kernel: throws LiteError.
  size_t InputSlot(std::string_view slot) const;
  size_t OutputSlot(std::string_view slot) const;

  // An attribute that the operator declares as T. A name or type that is not declared is a
  // mistake in the kernel and throws LiteError.
  template <typename T>
  const T& Attr(std::string_view name) const {
    const T* value = std::get_if<T>(&AttrAt(name));
    if (value == nullptr) ThrowAttrType(name);
    return *value;
  }
  // The same, of whatever type it is declared.
  const Attribute& AttributeOf(std::string_view name) const { return AttrAt(name); }
  // The attribute was in the program, not taken from the declaration's default.
  bool HasAttr(std::string_view name) const;

  // "operator 12 (conv2d, block 0)" once SetPlace has been called.
  const std::string& where() const { return where_; }
  void SetWhere(std::string where) { where_ = std::move(where); }
  void SetPlace(int block, int index, std::string_view first_output);

 private:
  const Attribute& AttrAt(std::string_view name) const;
  [[noreturn]] void ThrowAttrType(std::string_view name) const;

  const OpInfo* info_;
  std::vector<std::vector<ValueId>> inputs_, outputs_;
  std::vector<Attribute> attrs_;
  std::vector<bool> given_;
  std::string where_;
};

}  // namespace paddle::lite
