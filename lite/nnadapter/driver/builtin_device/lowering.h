// Lowering: an NNAdapter model -> the Graph that the CPU plan takes. The operations stand by family
// under lower/; each emits one or more CPU operators.
//
//   REGISTER_LOWERING(SOFTMAX, [](Lowering& l) {
//     l.Emit("softmax", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
//            {{"axis", static_cast<int32_t>(l.Int("axis"))}});
//   });
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lite/core/graph.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::builtin_device {

namespace lite = ::paddle::lite;
using lite::ValueId;
using Slots = lite::OpLite::Slots;
using Ints32 = std::vector<int32_t>;

// A graph under construction; shared by the Lowerings of all operations of a model.
class GraphBuilder {
 public:
  explicit GraphBuilder(const core::Model& model);
  // A graph of one operation whose operands are all fed: nobody's constants are read.
  GraphBuilder();
  // Throws runtime::Error(FEATURE_NOT_SUPPORTED) saying which operation cannot be run and why.
  std::shared_ptr<lite::Graph> Run();
  // Throws Error, also where one of its operands is of a type that the CPU does not have.
  void Lower(const core::Operation& operation);

  // The value of an operand as it is stored; constants become constants of the graph.
  ValueId Stored(const core::Operand& operand);
  // The real numbers of an operand: a quantised one is dequantised (once).
  ValueId Real(const core::Operand& operand);
  // Where an operation puts the real numbers of an output; a quantised one is quantised after it.
  ValueId Define(const core::Operand& operand);
  // Emits what Define left to do for the operation's outputs.
  void FinishOutputs();
  void Emit(const std::string& type, const Slots& inputs, const Slots& outputs,
            const lite::AttributeMap& attributes);
  lite::Graph& graph() { return *graph_; }
  // What feeds a graph of one operation: an operand's real numbers, or what is stored.
  struct Feed {
    const core::Operand* operand;
    bool real;
  };
  const std::map<ValueId, Feed>& feeds() const { return feeds_; }

 private:
  ValueId AddConstant(const core::Operand& operand);
  ValueId AddFeed(const core::Operand& operand, bool real);

  const core::Model* model_ = nullptr;  // null: a graph of one operation
  std::map<ValueId, Feed> feeds_;
  std::shared_ptr<lite::Graph> graph_;
  std::map<const core::Operand*, ValueId> stored_, real_;
  std::vector<std::pair<const core::Operand*, ValueId>> to_quantize_;
};

class Lowering : public runtime::OperationView {
 public:
  Lowering(GraphBuilder* builder, const runtime::OperationInfo& info,
           const core::Operation& operation)
      : OperationView(info, operation), builder_(*builder) {}

  // Real numbers of an input (of a quantised one too), and where an output's real numbers go.
  ValueId In(std::string_view name, size_t index = 0);
  // An input as it is stored: not dequantised.
  ValueId Stored(std::string_view name) { return builder_.Stored(Operand(name, 0)); }
  // All operands of a repeated name.
  std::vector<ValueId> AllIn(std::string_view name);
  ValueId Out(std::string_view name, size_t index = 0);
  std::vector<ValueId> AllOut(std::string_view name);
  // {value}, or nothing where the optional operand is absent.
  std::vector<ValueId> OptionalIn(std::string_view name);
  std::vector<ValueId> OptionalOut(std::string_view name);
  // A value between two operators.
  ValueId Temp();
  // Constants of the graph.
  ValueId Constant(const std::vector<float>& values, const std::vector<int64_t>& dims);
  ValueId Constant(const std::vector<int64_t>& values, const std::vector<int64_t>& dims);
  ValueId Constant(const std::vector<int32_t>& values, const std::vector<int64_t>& dims);

  int Rank(std::string_view name, size_t index = 0) const {
    return static_cast<int>(Type(name, index).dimensions.count);
  }
  // Dimensions, NNADAPTER_UNKNOWN where they are not known.
  runtime::Dims DimsOf(std::string_view name, size_t index = 0) const;
  lite::DataType DataTypeOf(std::string_view name, size_t index = 0) const;
  // int32 from Int(name).
  int32_t I32(std::string_view name) const { return static_cast<int32_t>(Int(name)); }
  std::vector<int32_t> I32s(std::string_view name) const;

  // How many numbers a list has; 0 where it is absent.
  int32_t ListSize(std::string_view name) const;
  // The numbers of a Shape operand where all are known before the model runs.
  std::optional<std::vector<int32_t>> Known(std::string_view name) const;
  // {value} in int32 or int64: how a CPU operator takes the numbers that Known does not know.
  std::vector<ValueId> Computed(std::string_view name) {
    return Known(name) ? std::vector<ValueId>{} : OptionalIn(name);
  }
  // A value of type `from` as type `to`.
  ValueId Cast(ValueId value, lite::DataType from, lite::DataType to);
  void EmitCast(ValueId value, lite::DataType from, lite::DataType to, ValueId out);

  void Emit(const std::string& type, const Slots& inputs, const Slots& outputs,
            const lite::AttributeMap& attributes = {}) {
    builder_.Emit(type, inputs, outputs, attributes);
  }
  // The same, with the activation of operand fuse_code between `output_slot` and operand `output`.
  void EmitFused(const std::string& type, const Slots& inputs, const std::string& output_slot,
                 const std::string& output, const lite::AttributeMap& attributes = {},
                 const Slots& other_outputs = {});
  // Throws Error(FEATURE_NOT_SUPPORTED) unless `condition` holds.
  void Support(bool condition, const std::string& reason) const;

 private:
  GraphBuilder& builder_;
};

// An operator of one tensor: output of input.
inline void LowerUnary(Lowering& l, const char* type, const lite::AttributeMap& attributes = {}) {
  l.Emit(type, {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}}, attributes);
}

using LowerFn = void (*)(Lowering&);

class LoweringRegistry {
 public:
  static LoweringRegistry& Global();
  bool Register(NNAdapterOperationType code, LowerFn lower);
  LowerFn Find(NNAdapterOperationType code) const;

 private:
  std::map<NNAdapterOperationType, LowerFn> lowerings_;
};

// The element type that holds an operand's stored numbers; throws Error where the CPU has none.
lite::DataType StorageType(int32_t precision);
// What NNAdapter calls an element type.
NNAdapterOperandPrecisionCode PrecisionOf(lite::DataType type);
// The element type that a dtype operand (CAST, ARG_MAX, ...) asks for.
lite::DataType TypeForCode(int64_t precision);

}  // namespace nnadapter::builtin_device

#define REGISTER_LOWERING(NAME, ...)                                                     \
  [[maybe_unused]] static const bool NAME##_lowered =                                    \
      ::nnadapter::builtin_device::LoweringRegistry::Global().Register(NNADAPTER_##NAME, \
                                                                       __VA_ARGS__)
