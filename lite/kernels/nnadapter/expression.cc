#include "lite/kernels/nnadapter/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/conversion.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

constexpr size_t kMaxList = 65536;

[[noreturn]] void Refuse(const std::string& what) { throw NotOffloadable{what}; }

Value Arithmetic(NodeKind op, const Value& a, const Value& b) {
  if (a.Is<Values>() && b.Is<Values>() && op == NodeKind::kAdd) {
    Values joined = AsList(a);
    const Values& more = AsList(b);
    joined.insert(joined.end(), more.begin(), more.end());
    return Value(std::move(joined));
  }
  if (a.Is<Values>() && op == NodeKind::kMultiply && b.IsNumber()) {
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
  if (a.Is<double>() || b.Is<double>() || op == NodeKind::kDivide) {
    const double x = AsFloat(a), y = AsFloat(b);
    if (op == NodeKind::kAdd) return Value(x + y);
    if (op == NodeKind::kSubtract) return Value(x - y);
    if (op == NodeKind::kMultiply) return Value(x * y);
    if (y == 0) Refuse("its attributes lead to a division by zero");
    return Value(op == NodeKind::kFloorDivide ? std::floor(x / y)
                 : op == NodeKind::kModulo    ? x - std::floor(x / y) * y
                                              : x / y);
  }
  const int64_t x = AsInt(a), y = AsInt(b);
  int64_t result = 0;
  bool overflow = false;
  if (op == NodeKind::kAdd) {
    overflow = __builtin_add_overflow(x, y, &result);
  } else if (op == NodeKind::kSubtract) {
    overflow = __builtin_sub_overflow(x, y, &result);
  } else if (op == NodeKind::kMultiply) {
    overflow = __builtin_mul_overflow(x, y, &result);
  } else {
    if (y == 0) Refuse("its attributes lead to a division by zero");
    if (y == -1) {
      overflow = __builtin_sub_overflow(int64_t{0}, x, &result);
      if (op == NodeKind::kModulo) return Value(int64_t{0});
    } else {
      // Python's: the remainder has the divisor's sign.
      const int64_t rest = x % y;
      const bool below = rest != 0 && (rest < 0) != (y < 0);
      result = op == NodeKind::kFloorDivide ? x / y - (below ? 1 : 0) : rest + (below ? y : 0);
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

Value Compare(NodeKind op, const Value& a, const Value& b) {
  if (op == NodeKind::kEqual) return Equal(a, b);
  if (op == NodeKind::kNotEqual) return Invert(Equal(a, b));
  if (op == NodeKind::kIn) return Contains(a, b);
  if (op == NodeKind::kNotIn) return Invert(Contains(a, b));
  if (a.IsUnknown() || b.IsUnknown()) return Value(Unknown{});
  const bool floats = a.Is<double>() || b.Is<double>();
  const double x = floats ? AsFloat(a) : 0, y = floats ? AsFloat(b) : 0;
  const int64_t i = floats ? 0 : AsInt(a), j = floats ? 0 : AsInt(b);
  if (op == NodeKind::kLess) return Value(floats ? x < y : i < j);
  if (op == NodeKind::kLessEqual) return Value(floats ? x <= y : i <= j);
  if (op == NodeKind::kGreater) return Value(floats ? x > y : i > j);
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

const char* TextOf(const Node& node, const Conversion& c) { return c.rule().texts + node.number; }

const Value& Variable(const char* name, const Environment& env) {
  const auto found = env.find(name);
  if (found == env.end()) throw ConfigError(StrCat("operator rules: there is no name ", name));
  if (const Failed* failed = std::get_if<Failed>(&found->second.data)) Refuse(failed->reason);
  return found->second;
}

// Kleene's and (decisive false) and or (decisive true), evaluated as far as needed.
Value Logic(const Node& node, bool decisive, Environment& env, Conversion& c) {
  bool unknown = false;
  for (size_t i = 0; i < node.count; ++i) {
    const Value value = Evaluate(node.child(i), env, c);
    if (value.IsUnknown())
      unknown = true;
    else if (AsBool(value) == decisive)
      return Value(decisive);
  }
  return unknown ? Value(Unknown{}) : Value(!decisive);
}

Value Slice(const Value& list, const Value& from, const Value& to) {
  const Values& items = AsList(list);
  const size_t begin = Bound(from, items.size(), 0), end = Bound(to, items.size(), items.size());
  if (begin >= end) return Value(Values());
  const auto at = items.begin() + static_cast<int64_t>(begin);
  return Value(Values(at, at + static_cast<int64_t>(end - begin)));
}

Value Each(const Node& node, Environment& env, Conversion& c) {
  Values results;
  const Value list = Evaluate(node.child(0), env, c);
  const std::string name = TextOf(node, c);
  const auto outer = env.find(name);
  const Value saved = outer != env.end() ? outer->second : Value();
  for (const Value& item : AsList(list)) {
    env[name] = item;
    if (node.count == 3 && !AsBool(Evaluate(node.child(2), env, c))) continue;
    results.push_back(Evaluate(node.child(1), env, c));
  }
  env[name] = saved;
  return Value(std::move(results));
}

std::vector<Value> Arguments(const Node& node, Environment& env, Conversion& c) {
  std::vector<Value> args;
  for (const Node *child = &node.child(0), *end = &node + node.size; child != end;
       child += child->size) {
    if (child->kind != NodeKind::kSpread) {
      args.push_back(Evaluate(*child, env, c));
      continue;
    }
    const Value list = Evaluate(child->child(0), env, c);
    args.insert(args.end(), AsList(list).begin(), AsList(list).end());
  }
  return args;
}

Value Call(const Node& node, Environment& env, Conversion& c) {
  const Function& function = kFunctions[node.number];
  const std::vector<Value> args = Arguments(node, env, c);
  if (args.size() < function.fewest || args.size() > function.most)
    throw ConfigError(
        StrCat("operator rules: ", function.name, " does not take ", args.size(), " arguments"));
  return function.call(args, c);
}

Value Join(const Node& node, Environment& env, Conversion& c) {
  std::string text;
  for (size_t i = 0; i < node.count; ++i) text += ToText(Evaluate(node.child(i), env, c));
  return Value(std::move(text));
}

}  // namespace

int64_t LongOf(const char* text) { return std::strtoll(text, nullptr, 10); }

double RealOf(const char* text) {
  const int64_t bits = LongOf(text);
  double real = 0;
  std::memcpy(&real, &bits, sizeof(real));
  return real;
}

std::vector<Operand*> EvaluateOperation(const Node& node, size_t outputs, Environment& env,
                                        Conversion& c) {
  std::vector<Operand*> inputs;
  for (const Value& value : Arguments(node, env, c)) inputs.push_back(AsOperandOrNull(value));
  return c.Emit(static_cast<NNAdapterOperationType>(node.number), inputs, outputs);
}

Value Evaluate(const Node& node, Environment& env, Conversion& c) {
  const auto child = [&](size_t i) { return Evaluate(node.child(i), env, c); };
  switch (node.kind) {
    case NodeKind::kNone:
      return Value();
    case NodeKind::kBool:
      return Value(node.number != 0);
    case NodeKind::kInt:
      return Value(int64_t{node.number});
    case NodeKind::kLong:
      return Value(LongOf(TextOf(node, c)));
    case NodeKind::kFloat:
      return Value(RealOf(TextOf(node, c)));
    case NodeKind::kText:
      return Value(TextOf(node, c));
    case NodeKind::kVariable:
      return Variable(TextOf(node, c), env);
    case NodeKind::kList:
      return Value(Values(Arguments(node, env, c)));
    case NodeKind::kJoin:
      return Join(node, env, c);
    case NodeKind::kIf:
      return AsBool(child(0)) ? child(1) : child(2);
    case NodeKind::kAnd:
      return Logic(node, false, env, c);
    case NodeKind::kOr:
      return Logic(node, true, env, c);
    case NodeKind::kNot:
      return Invert(child(0));
    case NodeKind::kNegate:
      return Arithmetic(NodeKind::kSubtract, Value(0), child(0));
    case NodeKind::kAdd:
    case NodeKind::kSubtract:
    case NodeKind::kMultiply:
    case NodeKind::kDivide:
    case NodeKind::kFloorDivide:
    case NodeKind::kModulo:
      return Arithmetic(node.kind, child(0), child(1));
    case NodeKind::kEqual:
    case NodeKind::kNotEqual:
    case NodeKind::kLess:
    case NodeKind::kLessEqual:
    case NodeKind::kGreater:
    case NodeKind::kGreaterEqual:
    case NodeKind::kIn:
    case NodeKind::kNotIn:
      return Compare(node.kind, child(0), child(1));
    case NodeKind::kIndex: {
      const Value list = child(0);
      return AsList(list)[Position(child(1), AsList(list).size())];
    }
    case NodeKind::kSlice:
      return Slice(child(0), child(1), child(2));
    case NodeKind::kEach:
      return Each(node, env, c);
    case NodeKind::kCall:
      return Call(node, env, c);
    case NodeKind::kOperation:
      return Value(EvaluateOperation(node, 1, env, c)[0]);
    case NodeKind::kSpread:
      throw ConfigError("operator rules: * stands where no arguments are");
    default:
      throw ConfigError("operator rules: a part of a rule stands where a value is expected");
  }
}

}  // namespace paddle::lite::nnadapter_bridge
