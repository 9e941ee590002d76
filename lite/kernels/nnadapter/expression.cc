#include "lite/kernels/nnadapter/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "lite/core/errors.h"
#include "lite/kernels/nnadapter/conversion.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

constexpr int kMaxDepth = 100;
constexpr size_t kMaxText = size_t{1} << 20;
constexpr size_t kMaxList = 65536;

class FormParser {
 public:
  explicit FormParser(std::string_view text) : text_(text) {}

  Form Parse() {
    Form form = One(0);
    Skip();
    if (at_ != text_.size()) Fail("text after the end");
    return form;
  }

 private:
  [[noreturn]] void Fail(const char* what) const {
    throw ConfigError(StrCat("operator rules: ", what, " at character ", at_,
                             "; write rules as YAML and load them with add_operators()"));
  }

  void Skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  Form One(int depth) {
    if (depth > kMaxDepth) Fail("an expression nests too deeply");
    Skip();
    if (at_ == text_.size()) Fail("the text ends too early");
    if (text_[at_] == '"') return Quoted();
    if (text_[at_] != '(') return Atom();
    ++at_;
    Form list;
    list.is_list = true;
    for (;;) {
      Skip();
      if (at_ == text_.size()) Fail("a parenthesis is not closed");
      if (text_[at_] == ')') break;
      list.items.push_back(One(depth + 1));
    }
    ++at_;
    return list;
  }

  Form Quoted() {
    Form atom;
    atom.quoted = true;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && ++at_ == text_.size()) break;
      atom.text += text_[at_];
    }
    if (at_ == text_.size()) Fail("a text is not closed");
    ++at_;
    return atom;
  }

  Form Atom() {
    Form atom;
    while (at_ < text_.size() &&
           std::string_view(" \n()\"").find(text_[at_]) == std::string_view::npos)
      atom.text += text_[at_++];
    if (atom.text.empty()) Fail("an unexpected parenthesis");
    return atom;
  }

  std::string_view text_;
  size_t at_ = 0;
};

[[noreturn]] void Bad(const Form& form, const char* what) {
  throw ConfigError(StrCat("operator rules: ", what, " in (", form.head(), " ...)"));
}

int64_t ParseInt(const Form& form, const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) Bad(form, "a number is malformed");
  return number;
}

double ParseFloat(const Form& form, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) Bad(form, "a number is malformed");
  return number;
}

const std::string& AtomAt(const Form& form, size_t i) {
  if (i >= form.items.size() || form.items[i].is_list) Bad(form, "a name is missing");
  return form.items[i].text;
}

Node Compile(const Form& form);

void CompileRest(const Form& form, size_t first, Node* node) {
  for (size_t i = first; i < form.items.size(); ++i)
    node->children.push_back(Compile(form.items[i]));
}

const Function* FindFunction(const Form& form, const std::string& name, size_t args) {
  for (const Function& function : Functions()) {
    if (name != function.name) continue;
    if (args < function.min_args) Bad(form, "a call has too few arguments");
    return &function;
  }
  throw ConfigError(StrCat("operator rules: there is no function ", name));
}

struct Shape {
  NodeKind kind;
  size_t min_children, max_children;
};

const std::map<std::string_view, Shape>& Shapes() {
  static const std::map<std::string_view, Shape> shapes = {{"list", {NodeKind::kList, 0, kMaxList}},
                                                           {"text", {NodeKind::kText, 0, 100}},
                                                           {"if", {NodeKind::kIf, 3, 3}},
                                                           {"and", {NodeKind::kAnd, 1, 100}},
                                                           {"or", {NodeKind::kOr, 1, 100}},
                                                           {"not", {NodeKind::kNot, 1, 1}},
                                                           {"neg", {NodeKind::kNegate, 1, 1}},
                                                           {"index", {NodeKind::kIndex, 2, 2}},
                                                           {"slice", {NodeKind::kSlice, 3, 3}},
                                                           {"spread", {NodeKind::kSpread, 1, 1}}};
  return shapes;
}

bool IsBinary(std::string_view head) {
  return head == "+" || head == "-" || head == "*" || head == "/" || head == "//" || head == "%";
}

bool IsCompare(std::string_view head) {
  return head == "==" || head == "!=" || head == "<" || head == "<=" || head == ">" ||
         head == ">=" || head == "in" || head == "notin";
}

Node CompileNamed(const Form& form, std::string_view head) {
  Node node;
  if (head == "call") {
    node.kind = NodeKind::kCall;
    node.name = AtomAt(form, 1);
    CompileRest(form, 2, &node);
    const bool spreads = std::any_of(node.children.begin(), node.children.end(),
                                     [](const Node& n) { return n.kind == NodeKind::kSpread; });
    node.function = FindFunction(form, node.name, spreads ? kMaxList : node.children.size());
    return node;
  }
  if (head == "op") {
    node.kind = NodeKind::kOperation;
    const int64_t code = ParseInt(form, AtomAt(form, 1));
    if (code != static_cast<int32_t>(code)) Bad(form, "an operation's code is out of range");
    node.operation = static_cast<int32_t>(code);
    CompileRest(form, 2, &node);
    return node;
  }
  if (head == "each") {  // (each i list body)
    node.kind = NodeKind::kEach;
    node.name = AtomAt(form, 1);
    CompileRest(form, 2, &node);
    if (node.children.size() < 2 || node.children.size() > 3) Bad(form, "arguments are missing");
    return node;
  }
  node.name = std::string(head);
  node.kind = IsBinary(head) ? NodeKind::kBinary : NodeKind::kCompare;
  if (!IsBinary(head) && !IsCompare(head)) Bad(form, "the form is unknown");
  CompileRest(form, 1, &node);
  if (node.children.size() != 2) Bad(form, "two arguments are expected");
  return node;
}

Node Compile(const Form& form) {
  Node node;
  if (!form.is_list)
    throw ConfigError("operator rules: an expression is a bare word: " + form.text);
  const std::string_view head = form.head();
  if (head == "none") return node;
  if (head == "true" || head == "false") {
    node.constant = Value(head == "true");
    return node;
  }
  if (head == "int") {
    node.constant = Value(ParseInt(form, AtomAt(form, 1)));
    return node;
  }
  if (head == "float") {
    node.constant = Value(ParseFloat(form, AtomAt(form, 1)));
    return node;
  }
  if (head == "str") {
    node.constant = Value(AtomAt(form, 1));
    return node;
  }
  if (head == "var") {
    node.kind = NodeKind::kVariable;
    node.name = AtomAt(form, 1);
    return node;
  }
  const auto shape = Shapes().find(head);
  if (shape == Shapes().end()) return CompileNamed(form, head);
  node.kind = shape->second.kind;
  CompileRest(form, 1, &node);
  if (node.children.size() < shape->second.min_children ||
      node.children.size() > shape->second.max_children)
    Bad(form, "the number of arguments is wrong");
  return node;
}

[[noreturn]] void Refuse(const std::string& what) { throw NotOffloadable{what}; }

Value Arithmetic(const std::string& op, const Value& a, const Value& b) {
  if (a.Is<Values>() && b.Is<Values>() && op == "+") {
    Values joined = AsList(a);
    const Values& more = AsList(b);
    joined.insert(joined.end(), more.begin(), more.end());
    return Value(std::move(joined));
  }
  if (a.Is<Values>() && op == "*" && b.IsNumber()) {
    Values repeated;
    const int64_t times = AsInt(b);
    const Values& list = AsList(a);
    if (times > static_cast<int64_t>(kMaxList) ||
        (times > 0 && list.size() * static_cast<size_t>(times) > kMaxList))
      Refuse("a list of its attributes is too long");
    for (int64_t i = 0; i < times && !list.empty(); ++i)
      repeated.insert(repeated.end(), list.begin(), list.end());
    return Value(std::move(repeated));
  }
  if (a.IsUnknown() || b.IsUnknown()) return Value(Unknown{});
  if (a.Is<double>() || b.Is<double>() || op == "/") {
    const double x = AsFloat(a), y = AsFloat(b);
    if (op == "+") return Value(x + y);
    if (op == "-") return Value(x - y);
    if (op == "*") return Value(x * y);
    if (y == 0) Refuse("its attributes lead to a division by zero");
    return Value(op == "//" ? std::floor(x / y) : op == "%" ? x - std::floor(x / y) * y : x / y);
  }
  const int64_t x = AsInt(a), y = AsInt(b);
  int64_t result = 0;
  bool overflow = false;
  if (op == "+") {
    overflow = __builtin_add_overflow(x, y, &result);
  } else if (op == "-") {
    overflow = __builtin_sub_overflow(x, y, &result);
  } else if (op == "*") {
    overflow = __builtin_mul_overflow(x, y, &result);
  } else {
    if (y == 0) Refuse("its attributes lead to a division by zero");
    if (y == -1) {
      overflow = __builtin_sub_overflow(int64_t{0}, x, &result);
      if (op == "%") return Value(int64_t{0});
    } else {
      // Python's: the remainder has the divisor's sign.
      const int64_t rest = x % y;
      const bool below = rest != 0 && (rest < 0) != (y < 0);
      result = op == "//" ? x / y - (below ? 1 : 0) : rest + (below ? y : 0);
    }
  }
  if (overflow) Refuse("its attributes are too large");
  return Value(result);
}

// Equality of anything; unknown where a part is.
Value Equal(const Value& a, const Value& b) {
  if (a.IsUnknown() || b.IsUnknown()) return Value(Unknown{});
  if (a.IsNumber() && b.IsNumber()) {
    if (a.Is<double>() || b.Is<double>()) return Value(AsFloat(a) == AsFloat(b));
    return Value(AsInt(a) == AsInt(b));
  }
  if (a.data.index() != b.data.index()) return Value(false);
  if (a.Is<std::string>()) return Value(AsText(a) == AsText(b));
  if (a.Is<Operand*>()) return Value(AsOperand(a) == AsOperand(b));
  if (!a.Is<Values>()) return Value(true);
  const Values &x = AsList(a), &y = AsList(b);
  if (x.size() != y.size()) return Value(false);
  bool unknown = false;
  for (size_t i = 0; i < x.size(); ++i) {
    const Value same = Equal(x[i], y[i]);
    if (same.IsUnknown())
      unknown = true;
    else if (!AsBool(same))
      return Value(false);
  }
  return unknown ? Value(Unknown{}) : Value(true);
}

Value Invert(const Value& value) { return value.IsUnknown() ? value : Value(!AsBool(value)); }

Value Contains(const Value& item, const Value& list) {
  bool unknown = false;
  for (const Value& candidate : AsList(list)) {
    const Value same = Equal(item, candidate);
    if (same.IsUnknown())
      unknown = true;
    else if (AsBool(same))
      return Value(true);
  }
  return unknown ? Value(Unknown{}) : Value(false);
}

Value Compare(const std::string& op, const Value& a, const Value& b) {
  if (op == "==") return Equal(a, b);
  if (op == "!=") return Invert(Equal(a, b));
  if (op == "in") return Contains(a, b);
  if (op == "notin") return Invert(Contains(a, b));
  if (a.IsUnknown() || b.IsUnknown()) return Value(Unknown{});
  const bool floats = a.Is<double>() || b.Is<double>();
  const double x = floats ? AsFloat(a) : 0, y = floats ? AsFloat(b) : 0;
  const int64_t i = floats ? 0 : AsInt(a), j = floats ? 0 : AsInt(b);
  if (op == "<") return Value(floats ? x < y : i < j);
  if (op == "<=") return Value(floats ? x <= y : i <= j);
  if (op == ">") return Value(floats ? x > y : i > j);
  return Value(floats ? x >= y : i >= j);
}

size_t Position(const Value& index, size_t size) {
  int64_t i = AsInt(index);
  const auto n = static_cast<int64_t>(size);
  if (i < -n || i >= n)
    Refuse(StrCat("a list of its attributes has ", n, " elements where more are needed"));
  return static_cast<size_t>(i < 0 ? i + n : i);
}

size_t Bound(const Value& value, size_t size, size_t absent) {
  if (value.IsNone()) return absent;
  const auto n = static_cast<int64_t>(size);
  const int64_t i = AsInt(value);
  return static_cast<size_t>(std::clamp<int64_t>(i < 0 ? i + n : i, 0, n));
}

// Kleene's and (decisive false) and or (decisive true), evaluated as far as needed.
Value Logic(const Node& node, bool decisive, Environment& env, Conversion& c) {
  bool unknown = false;
  for (const Node& child : node.children) {
    const Value value = Evaluate(child, env, c);
    if (value.IsUnknown())
      unknown = true;
    else if (AsBool(value) == decisive)
      return Value(decisive);
  }
  return unknown ? Value(Unknown{}) : Value(!decisive);
}

Value Each(const Node& node, Environment& env, Conversion& c) {
  Values results;
  const Value list = Evaluate(node.children[0], env, c);
  const auto outer = env.find(node.name);
  const Value saved = outer != env.end() ? outer->second : Value();
  for (const Value& item : AsList(list)) {
    env[node.name] = item;
    if (node.children.size() == 3 && !AsBool(Evaluate(node.children[2], env, c))) continue;
    results.push_back(Evaluate(node.children[1], env, c));
  }
  env[node.name] = saved;
  return Value(std::move(results));
}

std::vector<Value> Arguments(const Node& node, Environment& env, Conversion& c) {
  std::vector<Value> args;
  for (const Node& child : node.children) {
    if (child.kind != NodeKind::kSpread) {
      args.push_back(Evaluate(child, env, c));
      continue;
    }
    const Value list = Evaluate(child.children[0], env, c);
    args.insert(args.end(), AsList(list).begin(), AsList(list).end());
  }
  return args;
}

}  // namespace

std::string_view Form::head() const {
  return is_list && !items.empty() && !items[0].is_list ? std::string_view(items[0].text)
                                                        : std::string_view();
}

Form ParseForm(std::string_view text) {
  if (text.size() > kMaxText) throw ConfigError("operator rules: a rule is longer than 1 MiB");
  return FormParser(text).Parse();
}

Node CompileExpression(const Form& form) { return Compile(form); }

std::vector<Operand*> EvaluateOperation(const Node& node, size_t outputs, Environment& env,
                                        Conversion& c) {
  std::vector<Operand*> inputs;
  for (const Value& value : Arguments(node, env, c)) inputs.push_back(AsOperandOrNull(value));
  return c.Emit(node.operation, inputs, outputs);
}

Value Evaluate(const Node& node, Environment& env, Conversion& c) {
  const auto child = [&](size_t i) { return Evaluate(node.children[i], env, c); };
  switch (node.kind) {
    case NodeKind::kConstant:
      return node.constant;
    case NodeKind::kVariable: {
      const auto found = env.find(node.name);
      if (found == env.end()) throw ConfigError("operator rules: there is no name " + node.name);
      if (const Failed* failed = std::get_if<Failed>(&found->second.data)) Refuse(failed->reason);
      return found->second;
    }
    case NodeKind::kList:
      return Value(Values(Arguments(node, env, c)));
    case NodeKind::kText: {
      std::string text;
      for (size_t i = 0; i < node.children.size(); ++i) text += ToText(child(i));
      return Value(std::move(text));
    }
    case NodeKind::kIf:
      return AsBool(child(0)) ? child(1) : child(2);
    case NodeKind::kAnd:
      return Logic(node, false, env, c);
    case NodeKind::kOr:
      return Logic(node, true, env, c);
    case NodeKind::kNot:
      return Invert(child(0));
    case NodeKind::kNegate:
      return Arithmetic("-", Value(0), child(0));
    case NodeKind::kBinary:
      return Arithmetic(node.name, child(0), child(1));
    case NodeKind::kCompare:
      return Compare(node.name, child(0), child(1));
    case NodeKind::kIndex: {
      const Value list = child(0);
      return AsList(list)[Position(child(1), AsList(list).size())];
    }
    case NodeKind::kSlice: {
      const Value list = child(0);
      const Values& items = AsList(list);
      const size_t from = Bound(child(1), items.size(), 0);
      const size_t to = Bound(child(2), items.size(), items.size());
      return Value(from < to ? Values(items.begin() + static_cast<int64_t>(from),
                                      items.begin() + static_cast<int64_t>(to))
                             : Values());
    }
    case NodeKind::kEach:
      return Each(node, env, c);
    case NodeKind::kCall: {
      const std::vector<Value> args = Arguments(node, env, c);
      if (args.size() < node.function->min_args || args.size() > node.function->max_args)
        throw ConfigError(
            StrCat("operator rules: ", node.name, " does not take ", args.size(), " arguments"));
      return node.function->call(args, c);
    }
    case NodeKind::kOperation:
      return Value(EvaluateOperation(node, 1, env, c)[0]);
    case NodeKind::kSpread:
      break;
  }
  throw ConfigError("operator rules: * stands where no arguments are");
}

}  // namespace paddle::lite::nnadapter_bridge
