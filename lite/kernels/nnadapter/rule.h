// Rule: how one Paddle operator becomes NNAdapter operations, as operators.yaml declares it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lite/core/attribute.h"
#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::nnadapter_bridge {

struct Node;  // expression.h

struct RuleSlot {
  std::string name;
  bool optional = false, repeated = false;
  bool scalar = false;    // a 0-dim tensor may stand for one of shape [1]
  int channel_axis = -1;  // of per-channel quantised weights
};

struct RuleAttr {
  std::string name;
  Attribute default_value;
  bool required = false;
};

struct RuleStatement {
  struct Target {
    std::string name;
    bool spread = false;  // *Out: all variables of a repeated slot
  };
  std::vector<Target> targets;
  const Node* expression = nullptr;
};

struct Rule {
  std::string op;
  std::vector<RuleSlot> inputs, outputs;
  std::vector<RuleAttr> attrs;
  // Closed ranges; -1 is "newest".
  int op_version[2] = {0, -1};
  int driver_version[2] = {1, -1};
  std::vector<std::pair<std::string, const Node*>> let;
  struct Condition {
    const Node *when, *reason;
  };
  std::vector<Condition> unsupported;
  std::vector<RuleStatement> emit;
  std::string converter;        // the name of a hand-written one; empty where `emit` says it all
  const char* texts = nullptr;  // of the nodes, each ending with a zero
  std::shared_ptr<const void> owner;  // of nodes and texts; null for those of the build
};

// Rules that the build made of operators.yaml, and those added since, which win. Null where there
// is none.
std::shared_ptr<const Rule> FindRule(std::string_view op);
// Those that operators.yaml declares (122 as in Paddle Lite, and more), and a user's own.
std::vector<std::string> DeclaredOperators();
// A node as Python hands it over: kind, text, number, count of children, which follow.
using RuleRow = std::tuple<int64_t, std::string, int64_t, int64_t>;
// Adds rules (a tree of rows each), all or none. Throws ConfigError naming what is wrong.
void AddRules(const std::vector<std::vector<RuleRow>>& rules);
// Forgets what AddRules added.
void ResetRules();

// Rules that the build made: `count` nodes in all. They stay.
bool RegisterRules(const Node* nodes, size_t count, const char* texts);

}  // namespace paddle::lite::nnadapter_bridge
