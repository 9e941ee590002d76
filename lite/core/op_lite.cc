#include "lite/core/op_lite.h"

namespace paddle::lite {
namespace {

std::vector<std::vector<ValueId>> BindSlots(const OpInfo& info, const char* direction,
                                            const std::vector<SlotInfo>& declared,
                                            const OpLite::Slots& given) {
  std::vector<std::vector<ValueId>> bound(declared.size());
  for (size_t i = 0; i < declared.size(); ++i) {
    const auto found = given.find(declared[i].name);
    if (found != given.end()) bound[i] = found->second;
    if (bound[i].empty() && !declared[i].optional)
      throw ModelFormatError(StrCat(info.type(), " lacks its ", direction, " ", declared[i].name));
    if (bound[i].size() > 1 && !declared[i].repeated)
      throw ModelFormatError(StrCat(info.type(), " has ", bound[i].size(), " variables in its ",
                                    direction, " ", declared[i].name, ", which takes one"));
  }
  for (const auto& [name, values] : given) {
    bool known = values.empty();
    for (const SlotInfo& slot : declared) known = known || slot.name == name;
    if (!known)
      throw ModelFormatError(StrCat(info.type(), " has an unknown ", direction, " ", name));
  }
  return bound;
}

}  // namespace

OpLite::OpLite(const OpInfo* info, const Slots& inputs, const Slots& outputs,
               const AttributeMap& attributes)
    : info_(info),
      inputs_(BindSlots(*info, "input", info->inputs(), inputs)),
      outputs_(BindSlots(*info, "output", info->outputs(), outputs)) {
  for (const AttrInfo& declared : info->attrs()) {
    const auto found = attributes.find(declared.name);
    given_.push_back(found != attributes.end());
    if (!given_.back()) {
      if (declared.required)
        throw ModelFormatError(StrCat(type(), " lacks its attribute ", declared.name, " (",
                                      AttributeTypeName(declared.default_value), ")"));
      attrs_.push_back(declared.default_value);
      continue;
    }
    auto converted = ConvertAttribute(found->second, declared.default_value);
    if (!converted)
      throw ModelFormatError(StrCat(type(), "'s attribute ", declared.name, " is ",
                                    AttributeTypeName(found->second), ", expected ",
                                    AttributeTypeName(declared.default_value)));
    attrs_.push_back(std::move(*converted));
  }
}

size_t OpLite::InputSlot(std::string_view slot) const {
  const int index = info_->FindInput(slot);
  if (index < 0) throw LiteError(StrCat(type(), " declares no input ", slot));
  return static_cast<size_t>(index);
}

size_t OpLite::OutputSlot(std::string_view slot) const {
  const int index = info_->FindOutput(slot);
  if (index < 0) throw LiteError(StrCat(type(), " declares no output ", slot));
  return static_cast<size_t>(index);
}

bool OpLite::HasAttr(std::string_view name) const {
  const int index = info_->FindAttr(name);
  return index >= 0 && given_[static_cast<size_t>(index)];
}

const Attribute& OpLite::AttrAt(std::string_view name) const {
  const int index = info_->FindAttr(name);
  if (index < 0) throw LiteError(StrCat(type(), " declares no attribute ", name));
  return attrs_[static_cast<size_t>(index)];
}

void OpLite::ThrowAttrType(std::string_view name) const {
  throw LiteError(
      StrCat(type(), " declares its attribute ", name, " as ", AttributeTypeName(AttrAt(name))));
}

void OpLite::SetPlace(int block, int index, std::string_view first_output) {
  where_ = StrCat("operator ", index, " (", type());
  if (!first_output.empty()) where_ += StrCat(" -> ", first_output);
  where_ += StrCat(", block ", block, ")");
}

}  // namespace paddle::lite
