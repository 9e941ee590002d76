#include "lite/kernels/nnadapter/rule.h"

#include <algorithm>
#include <mutex>

#include "lite/core/errors.h"
#include "lite/kernels/nnadapter/conversion.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

[[noreturn]] void Bad(const std::string& what) {
  throw ConfigError(StrCat("operator rules: ", what));
}

const Form& ItemAt(const Form& form, size_t i) {
  if (i >= form.items.size()) Bad(StrCat("(", form.head(), " ...) is too short"));
  return form.items[i];
}

const std::string& TextAt(const Form& form, size_t i) {
  const Form& item = ItemAt(form, i);
  if (item.is_list) Bad(StrCat("(", form.head(), " ...) has a list where a name is expected"));
  return item.text;
}

int IntAt(const Form& form, size_t i) {
  const Value value = CompileExpression(ItemAt(form, i)).constant;
  const int64_t* number = std::get_if<int64_t>(&value.data);
  if (number == nullptr || *number != static_cast<int>(*number))
    Bad(StrCat("(", form.head(), " ...) has no number where one is expected"));
  return static_cast<int>(*number);
}

// (slot Name optional repeated scalar (int axis))
RuleSlot ParseSlot(const Form& form) {
  RuleSlot slot;
  slot.name = TextAt(form, 1);
  for (size_t i = 2; i < form.items.size(); ++i) {
    if (form.items[i].is_list) {
      slot.channel_axis = IntAt(form, i);
      continue;
    }
    const std::string& flag = form.items[i].text;
    if (flag == "optional")
      slot.optional = true;
    else if (flag == "repeated")
      slot.repeated = true;
    else if (flag == "scalar")
      slot.scalar = true;
    else
      Bad("a slot has the unknown flag " + flag);
  }
  return slot;
}

Attribute EmptyAttribute(const std::string& type) {
  if (type == "bool") return false;
  if (type == "int") return int32_t{0};
  if (type == "long") return int64_t{0};
  if (type == "float") return 0.0f;
  if (type == "string") return std::string();
  if (type == "bools") return std::vector<bool>();
  if (type == "ints") return std::vector<int32_t>();
  if (type == "longs") return std::vector<int64_t>();
  if (type == "floats") return std::vector<float>();
  if (type == "strings") return std::vector<std::string>();
  Bad("an attribute has the unknown type " + type);
}

// A list of values as the attribute type that holds them.
Attribute ListAttribute(const Values& list) {
  if (!list.empty() && list[0].Is<std::string>()) {
    std::vector<std::string> texts;
    for (const Value& item : list) texts.push_back(AsText(item));
    return texts;
  }
  if (std::any_of(list.begin(), list.end(), [](const Value& v) { return v.Is<double>(); }))
    return AsFloats(Value(list));
  if (!list.empty() && list[0].Is<bool>()) {
    std::vector<bool> flags;
    for (const Value& item : list) flags.push_back(AsBool(item));
    return flags;
  }
  return AsInts(Value(list));
}

Attribute ToAttribute(const Value& value) {
  if (const Values* list = std::get_if<Values>(&value.data)) return ListAttribute(*list);
  if (value.Is<bool>()) return AsBool(value);
  if (value.Is<int64_t>()) return AsInt(value);
  if (value.Is<double>()) return static_cast<float>(AsFloat(value));
  return AsText(value);
}

Value ConstantOf(const Node& node) {
  if (node.kind == NodeKind::kConstant) return node.constant;
  if (node.kind != NodeKind::kList) Bad("a default is not a constant");
  Values list;
  for (const Node& child : node.children) list.push_back(ConstantOf(child));
  return Value(std::move(list));
}

// (attr name type default?)
RuleAttr ParseAttr(const Form& form) {
  RuleAttr attr;
  attr.name = TextAt(form, 1);
  attr.default_value = EmptyAttribute(TextAt(form, 2));
  attr.required = form.items.size() == 3;
  if (attr.required) return attr;
  try {
    const Attribute given = ToAttribute(ConstantOf(CompileExpression(ItemAt(form, 3))));
    const auto converted = ConvertAttribute(given, attr.default_value);
    if (!converted) Bad("the default of " + attr.name + " has another type");
    attr.default_value = *converted;
  } catch (const NotOffloadable&) {
    Bad("the default of " + attr.name + " has another type");
  }
  return attr;
}

// (set (target Name) (target *Name) expression)
RuleStatement ParseStatement(const Form& form) {
  RuleStatement statement;
  for (size_t i = 1; i + 1 < form.items.size(); ++i) {
    const Form& target = form.items[i];
    if (target.head() != "target") Bad("a statement has no target");
    statement.targets.push_back({TextAt(target, 1), target.items.size() > 2});
  }
  if (statement.targets.empty()) Bad("a statement has no target");
  statement.expression = CompileExpression(form.items.back());
  return statement;
}

void ParsePart(const Form& part, Rule* rule) {
  const std::string_view head = part.head();
  if (head == "input") {
    rule->inputs.push_back(ParseSlot(part));
  } else if (head == "output") {
    rule->outputs.push_back(ParseSlot(part));
  } else if (head == "attr") {
    rule->attrs.push_back(ParseAttr(part));
  } else if (head == "op_version" || head == "driver_version") {
    int* range = head == "op_version" ? rule->op_version : rule->driver_version;
    for (size_t i = 0; i < 2; ++i) range[i] = IntAt(part, i + 1);
  } else if (head == "let") {
    rule->let.emplace_back(TextAt(part, 1), CompileExpression(ItemAt(part, 2)));
  } else if (head == "unsupported") {
    rule->unsupported.push_back(
        {CompileExpression(ItemAt(part, 1)), CompileExpression(ItemAt(part, 2))});
  } else if (head == "set") {
    rule->emit.push_back(ParseStatement(part));
  } else if (head == "converter") {
    rule->converter = TextAt(part, 1);
    if (FindConverter(rule->converter) == nullptr)
      Bad(StrCat("there is no hand-written converter ", rule->converter));
  } else {
    Bad(StrCat("a rule has the unknown part (", head, " ...)"));
  }
}

using RulePtr = std::shared_ptr<const Rule>;

struct Registry {
  std::mutex mutex;
  std::map<std::string, const char*, std::less<>> built_in;
  std::map<std::string, RulePtr, std::less<>> parsed, added;
};

Registry& TheRegistry() {
  static Registry* registry = new Registry;  // rules are used until the process ends
  return *registry;
}

}  // namespace

std::shared_ptr<const Rule> ParseRule(std::string_view text) {
  const Form form = ParseForm(text);
  if (form.head() != "rule") Bad("a rule does not start with (rule");
  auto rule = std::make_shared<Rule>();
  rule->op = TextAt(form, 1);
  if (rule->op.empty()) Bad("a rule has no operator");
  for (size_t i = 2; i < form.items.size(); ++i) ParsePart(form.items[i], rule.get());
  if (rule->emit.empty() == rule->converter.empty())
    Bad(StrCat("the rule of ", rule->op, " needs either statements or a converter"));
  return rule;
}

std::shared_ptr<const Rule> FindRule(std::string_view op) {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  if (const auto added = registry.added.find(op); added != registry.added.end())
    return added->second;
  if (const auto parsed = registry.parsed.find(op); parsed != registry.parsed.end())
    return parsed->second;
  const auto text = registry.built_in.find(op);
  if (text == registry.built_in.end()) return nullptr;
  return registry.parsed.emplace(std::string(op), ParseRule(text->second)).first->second;
}

std::vector<std::string> RuleNames() {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto& [op, text] : registry.built_in) names.push_back(op);
  for (const auto& [op, rule] : registry.added)
    if (registry.built_in.count(op) == 0) names.push_back(op);
  std::sort(names.begin(), names.end());
  return names;
}

void AddRules(const std::vector<std::string>& texts) {
  std::vector<RulePtr> rules;
  for (const std::string& text : texts) rules.push_back(ParseRule(text));
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  for (RulePtr& rule : rules) registry.added[rule->op] = std::move(rule);
}

void ResetRules() {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.added.clear();
}

bool RegisterRules(const RuleText* rules, size_t count) {
  Registry& registry = TheRegistry();
  for (size_t i = 0; i < count; ++i) registry.built_in[rules[i].op] = rules[i].text;
  return true;
}

namespace {
std::map<std::string, Converter, std::less<>>& Converters() {
  static auto* converters = new std::map<std::string, Converter, std::less<>>;
  return *converters;
}
}  // namespace

bool RegisterConverter(const char* name, Converter converter) {
  return Converters().emplace(name, converter).second;
}

Converter FindConverter(std::string_view name) {
  const auto found = Converters().find(name);
  return found == Converters().end() ? nullptr : found->second;
}

}  // namespace paddle::lite::nnadapter_bridge
