// Expressions of operators.yaml. Python (rules.py) parses and checks their text and writes them in
// prefix form, e.g. (op 3 (var X) (var Y) (call int32 (int 0))); this is the one interpreter.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::nnadapter_bridge {

class Conversion;
struct Function;

// A tree in prefix form: a list (items) or an atom (text; quoted where it is a string).
struct Form {
  std::string text;
  bool is_list = false, quoted = false;
  std::vector<Form> items;

  // The head of a list: "op" of (op 3 ...); empty where there is none.
  std::string_view head() const;
};

// Throws ConfigError for anything that is not balanced, too deep or too long.
Form ParseForm(std::string_view text);

enum class NodeKind {
  kConstant,
  kVariable,
  kList,
  kText,
  kIf,
  kAnd,
  kOr,
  kNot,
  kNegate,
  kBinary,
  kCompare,
  kIndex,
  kSlice,
  kEach,
  kCall,
  kOperation,
  kSpread,
};

struct Node {
  NodeKind kind = NodeKind::kConstant;
  Value constant;    // kConstant
  std::string name;  // a variable, the operator of kBinary and kCompare, kEach's variable
  const Function* function = nullptr;  // kCall
  int32_t operation = 0;               // kOperation
  std::vector<Node> children;
};

// Throws ConfigError where the form is no expression.
Node CompileExpression(const Form& form);

using Environment = std::map<std::string, Value, std::less<>>;

// Throws NotOffloadable where the operator's attributes do not allow to evaluate it, NeedsKnown
// where a dimension would have to be known.
Value Evaluate(const Node& node, Environment& environment, Conversion& conversion);

// `name, name, *name = OPERATION(...)` needs several results: adds the operation and returns its
// outputs.
std::vector<Operand*> EvaluateOperation(const Node& node, size_t outputs, Environment& environment,
                                        Conversion& conversion);

// A function that expressions may call; functions.cc registers them.
struct Function {
  const char* name;
  size_t min_args, max_args;
  bool emits;  // adds operations or constants: not allowed in conditions
  Value (*call)(const std::vector<Value>& args, Conversion& conversion);
};
const std::vector<Function>& Functions();

}  // namespace paddle::lite::nnadapter_bridge
