// Value: what an expression of operators.yaml evaluates to.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lite/core/attribute.h"
#include "lite/kernels/nnadapter/nnadapter_api.h"

namespace paddle::lite {
class Tensor;
}

namespace paddle::lite::nnadapter_bridge {

// A tensor of the model that is built. Parameters and inputs join the model when they are first
// used, so that it holds nothing that no operation reads.
struct Operand {
  std::string name;
  NNAdapterOperand* handle = nullptr;
  NNAdapterOperandType type{};        // of what has no handle yet
  const Tensor* parameter = nullptr;  // the elements of a constant of the program
  std::vector<int64_t> values;        // the integers of a constant that the conversion made
  std::vector<float> channel_scales;  // what type's per-channel scales point to
  bool has_values = false;
  bool is_input = false;
  bool has_lod = false;   // it may stand for sequences
  bool zero_dim = false;  // it has shape [1] and stands for a 0-dim tensor that the model computes
};

struct Value;
using Values = std::vector<Value>;
struct None {
  bool operator==(const None&) const { return true; }
};
// A number that is known only when the model runs: a dimension.
struct Unknown {
  bool operator==(const Unknown&) const { return true; }
};

// What could not be evaluated, and why: an error only where something needs it.
struct Failed {
  std::string reason;
  bool operator==(const Failed& other) const { return reason == other.reason; }
};

struct Value {
  std::variant<None, Unknown, bool, int64_t, double, std::string, Values, Operand*, Failed> data;

  Value() = default;
  template <typename T>
  Value(T value) : data(std::move(value)) {}               // NOLINT: literals are values
  Value(int value) : data(static_cast<int64_t>(value)) {}  // NOLINT
  Value(const char* text) : data(std::string(text)) {}     // NOLINT

  template <typename T>
  bool Is() const {
    return std::holds_alternative<T>(data);
  }
  bool IsNone() const { return Is<None>(); }
  bool IsUnknown() const { return Is<Unknown>(); }
  bool IsNumber() const { return Is<int64_t>() || Is<double>() || Is<bool>(); }
};

// The names that a rule's expressions may use.
using Environment = std::map<std::string, Value, std::less<>>;

// Thrown for an operator that cannot become NNAdapter operations; `reason` is one plain sentence.
struct NotOffloadable {
  std::string reason;
};
// Thrown where an expression needs a dimension that is not known yet.
struct NeedsKnown {};

// Each throws NotOffloadable where the value is something else, and NeedsKnown where it is unknown.
int64_t AsInt(const Value& value);
double AsFloat(const Value& value);
bool AsBool(const Value& value);
const std::string& AsText(const Value& value);
const Values& AsList(const Value& value);
Operand* AsOperand(const Value& value);
// Null for None.
Operand* AsOperandOrNull(const Value& value);
std::vector<int64_t> AsInts(const Value& value);
std::vector<float> AsFloats(const Value& value);

Value ListOf(const std::vector<int64_t>& numbers);
Value ListOf(const std::vector<Operand*>& operands);
Value FromAttribute(const Attribute& attribute);
// As it stands in a reason: [1, 2], relu, 0.5, float32 [1, ?, 3].
std::string ToText(const Value& value);

}  // namespace paddle::lite::nnadapter_bridge
