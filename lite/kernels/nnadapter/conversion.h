// Conversion: one operator on its way into the model; what rules and hand-written converters use.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/base/errors.h"
#include "lite/kernels/nnadapter/model_builder.h"
#include "lite/kernels/nnadapter/rule.h"
#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::nnadapter_bridge {

class Conversion {
 public:
  // Binds slots and attributes as the rule declares them. Throws NotOffloadable where the operator
  // has something that the rule does not know.
  Conversion(ModelBuilder::Impl* model, const Rule& rule, const OpDesc& op);

  const Rule& rule() const { return rule_; }
  const OpDesc& op() const { return op_; }

  // -- Slots and attributes, by their declared names.
  bool Has(std::string_view slot) const { return !Get(slot).IsNone(); }
  Operand* Input(std::string_view slot) const { return AsOperand(Get(slot)); }
  Operand* InputOrNull(std::string_view slot) const { return AsOperandOrNull(Get(slot)); }
  std::vector<Operand*> Inputs(std::string_view slot) const;
  size_t OutputCount(std::string_view slot) const;
  int64_t Int(std::string_view attr) const { return AsInt(Get(attr)); }
  float Float(std::string_view attr) const { return static_cast<float>(AsFloat(Get(attr))); }
  bool Bool(std::string_view attr) const { return AsBool(Get(attr)); }
  const std::string& Text(std::string_view attr) const { return AsText(Get(attr)); }
  std::vector<int64_t> Ints(std::string_view attr) const { return AsInts(Get(attr)); }
  std::vector<float> Floats(std::string_view attr) const { return AsFloats(Get(attr)); }
  const Value& Get(std::string_view name) const;

  // -- Types.
  const NNAdapterOperandType& TypeOf(const Operand* operand) const;
  // Throws NeedsKnown where the rank is not known.
  int Rank(const Operand* operand) const;
  // NNADAPTER_UNKNOWN for unknown ones.
  std::vector<int64_t> Dims(const Operand* operand) const;
  bool IsQuantized(const Operand* operand) const;
  // A 0-dim tensor: a parameter, or what the model computes under the shape [1].
  bool IsZeroDim(const Operand* operand) const;
  // Its value does not depend on what is fed.
  bool IsConstant(const Operand* operand) const;
  // Constant, or computed from shapes alone: NNAdapter knows it when the shapes are known.
  bool IsShape(const Operand* operand) const;
  // The integers of a constant of int32 or int64; throws NotOffloadable for others.
  std::vector<int64_t> ConstantInts(const Operand* operand) const;
  std::vector<float> ConstantFloats(const Operand* operand) const;

  // -- Constants. A scalar has shape [1]; an empty list is null.
  Operand* Int32(int64_t value);
  Operand* Int32s(const std::vector<int64_t>& values);
  Operand* Int64s(const std::vector<int64_t>& values);
  Operand* Float32(float value) { return Float32s({value}); }
  Operand* Float32s(const std::vector<float>& values);
  Operand* Bool8(bool value);
  // A scalar of `precision` (a plain one).
  Operand* Scalar(NNAdapterOperandPrecisionCode precision, double value);
  Operand* Constant(NNAdapterOperandType type, const void* data, size_t bytes);
  // A parameter under other dimensions of as many elements; null for what is none, and where it has
  // scales for the channels of its own shape.
  Operand* ReshapedConstant(const Operand* operand, const std::vector<int64_t>& dims);

  // -- Operations. Outputs have the type that NNAdapter infers. A parameter is reshaped at once,
  // without an operation.
  std::vector<Operand*> Emit(NNAdapterOperationType type, const std::vector<Operand*>& inputs,
                             size_t outputs);
  Operand* EmitOne(NNAdapterOperationType type, const std::vector<Operand*>& inputs) {
    return Emit(type, inputs, 1)[0];
  }
  // The same with types that the caller knows.
  std::vector<Operand*> EmitTyped(NNAdapterOperationType type, const std::vector<Operand*>& inputs,
                                  const std::vector<NNAdapterOperandType>& outputs);
  // The scale of an output in a quantised program; false where it has none.
  bool QuantizedOutput(const std::string& slot, size_t index, float* scale) const;
  // What the next Emit's outputs are: the types of these output slots (their scales in a quantised
  // program), each given as slot and position.
  void NextOutputsAre(std::vector<std::pair<std::string, size_t>> outputs) {
    next_outputs_ = std::move(outputs);
  }
  // The last operation of the operator: its outputs are those of `slots`, in order.
  void EmitTo(const std::vector<std::string>& slots, NNAdapterOperationType type,
              const std::vector<Operand*>& inputs);
  // Names an operand as the operator's output; one that the operator lacks is ignored.
  void SetOutput(std::string_view slot, Operand* operand, size_t index = 0);

  // `list_slot`, `slot` or the attribute's integers as one operand of a list: int32 where constant.
  // Null where all are absent or empty.
  Operand* IntListOperand(Operand* tensor, const std::vector<Operand*>& list,
                          const std::vector<int64_t>& attribute);

  [[noreturn]] void Refuse(const std::string& reason) const { throw NotOffloadable{reason}; }

  Environment& environment() { return environment_; }

 private:
  bool KeepsZeroDim(NNAdapterOperationType type, const std::vector<Operand*>& inputs) const;
  void BindInputs();
  void BindAttributes();
  Value BindVariable(const RuleSlot& slot, size_t index, const std::string& variable);

  ModelBuilder::Impl* model_;
  const Rule& rule_;
  const OpDesc& op_;
  Environment environment_;
  bool has_lod_ = false;  // some input has
  std::vector<std::pair<std::string, size_t>> next_outputs_;
};

}  // namespace paddle::lite::nnadapter_bridge
