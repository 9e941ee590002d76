// A model of NNAPI under construction and, once finished, what compilations read.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "lite/nnadapter/nnapi/error.h"
#include "lite/nnadapter/nnapi/operand.h"

namespace nnadapter::nnapi {

struct Operation {
  int32_t code = 0;
  std::vector<uint32_t> inputs, outputs;
};

inline bool IsControlFlow(int32_t code) {
  return code == ANEURALNETWORKS_IF || code == ANEURALNETWORKS_WHILE;
}

// Throws Error(BAD_DATA) where no operand can be of the type.
OperandType CheckedType(const ANeuralNetworksOperandType& type);

class Model {
 public:
  // All throw Error and change nothing where the arguments are not right.
  void AddOperand(const ANeuralNetworksOperandType& type);
  void SetValue(int32_t index, const void* buffer, size_t length);
  void SetValueFromMemory(int32_t index, std::shared_ptr<Memory> memory, size_t offset,
                          size_t length);
  void SetValueFromModel(int32_t index, std::shared_ptr<const Model> model);
  void SetChannelScales(int32_t index, const ANeuralNetworksSymmPerChannelQuantParams& params);
  void AddOperation(int32_t code, std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);
  void Identify(std::vector<uint32_t> inputs, std::vector<uint32_t> outputs);
  void Relax(bool allow);
  // Checks the whole, puts the operations in an order in which they can run and copies what is
  // still the client's. A model that fails here stays invalid.
  void Finish();

  bool finished() const;
  size_t operand_count() const;
  // Of a finished model; nothing changes it any more.
  const std::vector<Operand>& operands() const { return operands_; }
  // In the order in which they can run; added_index()[i] is the number of operations()[i] in the
  // order of AddOperation.
  const std::vector<Operation>& operations() const { return operations_; }
  const std::vector<size_t>& added_index() const { return added_index_; }
  const std::vector<uint32_t>& inputs() const { return inputs_; }
  const std::vector<uint32_t>& outputs() const { return outputs_; }
  // A digest of all that a compilation depends on; it takes reading all constants.
  std::string Digest() const;

 private:
  void RequireBuilding() const;
  Operand& Mutable(int32_t index);
  void RequireValueOf(const Operand& operand, int32_t index, size_t length) const;
  void RequireIndices(const std::vector<uint32_t>& indices) const;
  std::vector<size_t> Order() const;
  void CopyValues();
  void CheckReferences() const;
  void CheckPassed(const std::vector<uint32_t>& own, const Model& other,
                   const std::vector<uint32_t>& others, const char* what) const;

  mutable std::mutex mutex_;
  std::vector<Operand> operands_;
  std::vector<Operation> operations_;
  std::vector<size_t> added_index_;
  std::vector<uint32_t> inputs_, outputs_;
  bool relaxed_ = false, identified_ = false, finished_ = false, invalid_ = false;
};

}  // namespace nnadapter::nnapi
