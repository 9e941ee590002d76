#include "lite/kernels/nnadapter/rule.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>

#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/converter.h"
#include "lite/kernels/nnadapter/expression.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

[[noreturn]] void Bad(const std::string& what) {
  throw ConfigError(StrCat("operator rules: ", what));
}

constexpr int kMaxDepth = 100;
constexpr size_t kMaxRows = std::numeric_limits<uint16_t>::max();  // Node::size

// The nodes of a rule that add_operators() made.
struct OwnedNodes {
  std::vector<Node> nodes;
  std::string texts;
};

class RowReader {
 public:
  explicit RowReader(const std::vector<RuleRow>& rows) : rows_(rows) {}

  std::shared_ptr<const OwnedNodes> Read() {
    if (rows_.size() > kMaxRows) Bad("a rule is too long");
    owned_->nodes.reserve(rows_.size());
    ReadTree(0);
    if (owned_->nodes.size() != rows_.size()) Bad("a rule has nodes behind its end");
    return owned_;
  }

 private:
  void ReadTree(int depth) {
    const size_t at = owned_->nodes.size();
    if (depth > kMaxDepth) Bad("an expression nests too deeply");
    if (at == rows_.size()) Bad("a rule ends too early");
    const auto& [kind, text, number, count] = rows_[at];
    if (kind < 0 || kind >= static_cast<int64_t>(std::size(kArities))) Bad("a node has no kind");
    const Arity& arity = kArities[kind];
    if (count < static_cast<int64_t>(arity.fewest) || count > static_cast<int64_t>(arity.most))
      Bad(StrCat("a node has ", count, " children"));
    owned_->nodes.push_back(
        {static_cast<NodeKind>(kind), static_cast<uint8_t>(count), 0, NumberOf(rows_[at])});
    for (int64_t i = 0; i < count; ++i) ReadTree(depth + 1);
    owned_->nodes[at].size = static_cast<uint16_t>(owned_->nodes.size() - at);
  }

  int32_t NumberOf(const RuleRow& row) {
    const auto& [kind, text, number, count] = row;
    if (kind == static_cast<int64_t>(NodeKind::kCall)) {
      for (size_t i = 0; i < std::size(kFunctions); ++i)
        if (text == kFunctions[i].name) return static_cast<int32_t>(i);
      Bad(StrCat("there is no function ", text));
    }
    if (number != static_cast<int32_t>(number)) Bad("a number is beyond 32 bits");
    if (!kHasText[kind]) return static_cast<int32_t>(number);
    const size_t start = owned_->texts.size();
    if (start > size_t{std::numeric_limits<int32_t>::max()} - text.size())
      Bad("a rule is too long");
    owned_->texts.append(text.c_str()).push_back('\0');
    return static_cast<int32_t>(start);
  }

  const std::vector<RuleRow>& rows_;
  std::shared_ptr<OwnedNodes> owned_ = std::make_shared<OwnedNodes>();
};

std::string TextOf(const Node& node, const Rule& rule) {
  if (!kHasText[static_cast<size_t>(node.kind)]) Bad("a text is missing");
  return rule.texts + node.number;
}

int IntOf(const Node& node) {
  if (node.kind != NodeKind::kInt) Bad("a number is missing");
  return node.number;
}

// The channel axis, and "optional", "repeated" or "scalar".
RuleSlot MakeSlot(const Node& node, const Rule& rule) {
  RuleSlot slot;
  slot.name = TextOf(node, rule);
  for (size_t i = 0; i < node.count; ++i) {
    const Node& fact = node.child(i);
    if (fact.kind == NodeKind::kInt) {
      slot.channel_axis = IntOf(fact);
      continue;
    }
    const std::string flag = TextOf(fact, rule);
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

Value ConstantOf(const Node& node, const Rule& rule) {
  switch (node.kind) {
    case NodeKind::kBool:
      return Value(node.number != 0);
    case NodeKind::kInt:
      return Value(int64_t{node.number});
    case NodeKind::kLong:
      return Value(LongOf(TextOf(node, rule).c_str()));
    case NodeKind::kFloat:
      return Value(RealOf(TextOf(node, rule).c_str()));
    case NodeKind::kText:
      return Value(TextOf(node, rule));
    case NodeKind::kList: {
      Values list;
      for (size_t i = 0; i < node.count; ++i) list.push_back(ConstantOf(node.child(i), rule));
      return Value(std::move(list));
    }
    default:
      Bad("a default is not a constant");
  }
}

RuleAttr MakeAttr(const Node& node, const Rule& rule) {
  RuleAttr attr;
  attr.name = TextOf(node, rule);
  attr.default_value = EmptyAttribute(TextOf(node.child(0), rule));
  attr.required = node.count == 1;
  if (attr.required) return attr;
  try {
    const auto given = ToAttribute(ConstantOf(node.child(1), rule));
    const auto converted = ConvertAttribute(given, attr.default_value);
    if (!converted) Bad("the default of " + attr.name + " has another type");
    attr.default_value = *converted;
  } catch (const NotOffloadable&) {
    Bad("the default of " + attr.name + " has another type");
  }
  return attr;
}

RuleStatement MakeStatement(const Node& node, const Rule& rule) {
  RuleStatement statement;
  const size_t targets = node.count - size_t{1};
  for (size_t i = 0; i < targets; ++i) {
    const Node& target = node.child(i);
    if (target.kind != NodeKind::kTarget) Bad("a statement has no target");
    statement.targets.push_back({TextOf(target, rule), target.child(0).number != 0});
  }
  statement.expression = &node.child(targets);
  return statement;
}

void AddPart(const Node& part, Rule* rule) {
  switch (part.kind) {
    case NodeKind::kInput:
      return rule->inputs.push_back(MakeSlot(part, *rule));
    case NodeKind::kOutput:
      return rule->outputs.push_back(MakeSlot(part, *rule));
    case NodeKind::kAttribute:
      return rule->attrs.push_back(MakeAttr(part, *rule));
    case NodeKind::kOpVersion:
      for (size_t i = 0; i < 2; ++i) rule->op_version[i] = IntOf(part.child(i));
      return;
    case NodeKind::kDriverVersion:
      for (size_t i = 0; i < 2; ++i) rule->driver_version[i] = IntOf(part.child(i));
      return;
    case NodeKind::kLet:
      rule->let.emplace_back(TextOf(part, *rule), &part.child(0));
      return;
    case NodeKind::kUnsupported:
      return rule->unsupported.push_back({&part.child(0), &part.child(1)});
    case NodeKind::kSet:
      return rule->emit.push_back(MakeStatement(part, *rule));
    case NodeKind::kConverter:
      rule->converter = TextOf(part, *rule);
      if (FindConverter(rule->converter) == nullptr)
        Bad(StrCat("there is no hand-written converter ", rule->converter));
      return;
    default:
      Bad("a rule has an unknown part");
  }
}

using RulePtr = std::shared_ptr<const Rule>;

struct Registry {
  std::mutex mutex;
  std::map<std::string, const Node*, std::less<>> built_in;
  const char* texts = nullptr;  // of built_in
  std::map<std::string, RulePtr, std::less<>> made, added;
};

Registry& TheRegistry() {
  static Registry* registry = new Registry;  // rules are used until the process ends
  return *registry;
}

RulePtr MakeRule(const Node& root, const char* texts, std::shared_ptr<const void> owner) {
  if (root.kind != NodeKind::kRule) Bad("a rule is something else");
  auto rule = std::make_shared<Rule>();
  rule->texts = texts;
  rule->owner = std::move(owner);
  rule->op = TextOf(root, *rule);
  if (rule->op.empty()) Bad("a rule has no operator");
  for (size_t i = 0; i < root.count; ++i) AddPart(root.child(i), rule.get());
  if (rule->emit.empty() == rule->converter.empty())
    Bad(StrCat("the rule of ", rule->op, " needs either statements or a converter"));
  return rule;
}

}  // namespace

std::shared_ptr<const Rule> FindRule(std::string_view op) {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  if (const auto added = registry.added.find(op); added != registry.added.end())
    return added->second;
  if (const auto made = registry.made.find(op); made != registry.made.end()) return made->second;
  const auto root = registry.built_in.find(op);
  if (root == registry.built_in.end()) return nullptr;
  RulePtr rule = MakeRule(*root->second, registry.texts, nullptr);
  return registry.made.emplace(std::string(op), std::move(rule)).first->second;
}

std::vector<std::string> DeclaredOperators() {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  std::vector<std::string> names;
  for (const auto& [op, root] : registry.built_in) names.push_back(op);
  for (const auto& [op, rule] : registry.added)
    if (registry.built_in.count(op) == 0) names.push_back(op);
  std::sort(names.begin(), names.end());
  return names;
}

void AddRules(const std::vector<std::vector<RuleRow>>& rules_as_rows) {
  std::vector<RulePtr> rules;
  for (const std::vector<RuleRow>& rows : rules_as_rows) {
    const auto owned = RowReader(rows).Read();
    rules.push_back(MakeRule(owned->nodes[0], owned->texts.c_str(), owned));
  }
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  for (RulePtr& rule : rules) registry.added[rule->op] = std::move(rule);
}

void ResetRules() {
  Registry& registry = TheRegistry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.added.clear();
}

bool RegisterRules(const Node* nodes, size_t count, const char* texts) {
  Registry& registry = TheRegistry();
  registry.texts = texts;
  for (const Node* root = nodes; root != nodes + count; root += root->size)
    registry.built_in[texts + root->number] = root;
  return true;
}

}  // namespace paddle::lite::nnadapter_bridge
