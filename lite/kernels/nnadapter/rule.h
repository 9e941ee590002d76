// Rule: how one Paddle operator becomes NNAdapter operations, as operators.yaml declares it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lite/core/attribute.h"
#include "lite/kernels/nnadapter/expression.h"

namespace paddle::lite::nnadapter_bridge {

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
  Node expression;
};

struct Rule {
  std::string op;
  std::vector<RuleSlot> inputs, outputs;
  std::vector<RuleAttr> attrs;
  // Closed ranges; -1 is "newest".
  int op_version[2] = {0, -1};
  int driver_version[2] = {1, -1};
  std::vector<std::pair<std::string, Node>> let;
  struct Condition {
    Node when, reason;
  };
  std::vector<Condition> unsupported;
  std::vector<RuleStatement> emit;
  std::string converter;  // the name of a hand-written one; empty where `emit` says it all
};

// From the text that rules.py writes; throws ConfigError.
std::shared_ptr<const Rule> ParseRule(std::string_view text);

// Rules that the build made of operators.yaml, and those added since, which win. Null where there
// is none.
std::shared_ptr<const Rule> FindRule(std::string_view op);
std::vector<std::string> RuleNames();
// Adds rules (one text each), all or none. Throws ConfigError naming what is wrong.
void AddRules(const std::vector<std::string>& texts);
// Forgets what AddRules added.
void ResetRules();

struct RuleText {
  const char* op;
  const char* text;
};
bool RegisterRules(const RuleText* rules, size_t count);

}  // namespace paddle::lite::nnadapter_bridge
