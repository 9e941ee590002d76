// ModelBuilder::Impl: the model that is built, its variables and the handles that go with it.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lite/kernels/nnadapter/model_builder.h"
#include "lite/kernels/nnadapter/value.h"

namespace paddle::lite::nnadapter_bridge {

class ModelBuilder::Impl {
 public:
  explicit Impl(ConvertOptions options);
  ~Impl();

  void AddInput(const std::string& var, const NNAdapterOperandType& type, bool has_lod);
  void AddParameter(const std::string& var, const Tensor& tensor);
  void Convert(const OpDesc& op);
  void Finish(const std::vector<std::string>& outputs);

  // Null where the model has no such variable.
  Operand* Find(const std::string& var) const;
  void Define(const std::string& var, Operand* operand);
  const NNAdapterOperandType& TypeOf(const Operand* operand) const;

  Operand* NewOperand(Operand operand);
  // A new temporary of the model.
  Operand* NewTemporary(const NNAdapterOperandType& type);
  // A constant that the model copies.
  Operand* NewConstant(const NNAdapterOperandType& type, const void* data, size_t bytes);
  // A parameter seen as another operand: quantised weights carry scales that the operator knows.
  Operand* QuantizedView(const Operand* parameter, const std::vector<float>& scales, int axis);
  // A parameter under other dimensions of as many elements.
  Operand* ReshapedView(const Operand* parameter, const std::vector<int64_t>& dims);
  void AddOperation(NNAdapterOperationType type, const std::vector<Operand*>& inputs,
                    const std::vector<Operand*>& outputs);

  std::vector<Operand*> used_inputs() const;

  const NNAdapterApi& api;
  ConvertOptions options;
  NNAdapterModel* model = nullptr;
  std::vector<std::vector<int>> operations_of;
  std::vector<NNAdapterOperationType> operation_types;
  bool damaged = false;

 private:
  NNAdapterOperand* HandleOf(Operand* operand);

  std::deque<Operand> operands_;
  std::map<std::string, Operand*> variables_;
  std::map<std::string, size_t> writers_;  // the operator that defined a variable
  std::map<std::string, Operand*> views_;
  std::map<std::pair<const Operand*, std::vector<int64_t>>, Operand*> reshaped_;
  std::vector<Operand*> inputs_;
  bool finished_ = false;
};

}  // namespace paddle::lite::nnadapter_bridge
