// Expressions of operators.yaml: the nodes that Python (rules.py) makes of their text, and the one
// engine that evaluates them, whether the build made them or add_operators() did.
#pragma once

#include <string>
#include <vector>

#include "lite/kernels/nnadapter/value.h"
#include "nnadapter_rules.h"

namespace paddle::lite::nnadapter_bridge {

// Stands in an array, its children behind it.
struct Node {
  NodeKind kind;
  uint8_t count;   // of children
  uint16_t size;   // of the tree: this node and all below it
  int32_t number;  // of a kind that has a text: where it starts in Rule::texts; see rule_node.py

  // Requires i <= count; the last stands behind the tree.
  const Node& child(size_t i) const {
    const Node* at = this + 1;
    while (i-- > 0) at += at->size;
    return *at;
  }
};

// The numbers of a kLong and of a kFloat.
int64_t LongOf(const char* text);
double RealOf(const char* text);

// Throws NotOffloadable where the operator's attributes do not allow to evaluate it, NeedsKnown
// where a dimension would have to be known.
Value Evaluate(const Node& node, Environment& environment, Conversion& conversion);

// `name, name, *name = OPERATION(...)` needs several results: adds the operation and returns its
// outputs.
std::vector<Operand*> EvaluateOperation(const Node& node, size_t outputs, Environment& environment,
                                        Conversion& conversion);

}  // namespace paddle::lite::nnadapter_bridge
