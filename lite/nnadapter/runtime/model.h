// A model under construction and, once finished, the immutable network that compilations copy.
#pragma once

#include <cstdlib>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_set>
#include <vector>

#include "lite/nnadapter/runtime/core_model.h"
#include "lite/nnadapter/runtime/mutex.h"

namespace nnadapter::runtime {

// Who keeps a constant's bytes. The model keeps those of at most kMaxImmediateBytes in any case.
enum class ConstantMemory {
  kCopied,    // the operand, from now on: CONSTANT_COPY; the others are CONSTANT_REFERENCE
  kGathered,  // the caller until the model is finished, then the model's pool
  kCallers,   // the caller, until all that uses the model is destroyed
};

class Model : public std::enable_shared_from_this<Model> {
 public:
  Model() = default;
  ~Model();

  // All throw Error(INVALID_PARAMETER) and change nothing where the arguments are not right or the
  // model is finished.
  core::Operand* AddOperand(const NNAdapterOperandType& type);
  void SetOperandValue(core::Operand* operand, void* buffer, uint32_t length,
                       ConstantMemory memory);
  NNAdapterOperandType* GetOperandType(core::Operand* operand);
  // Checks the operation and infers the types of its outputs, where its inputs' types are known.
  core::Operation* AddOperation(NNAdapterOperationType type,
                                const std::vector<core::Operand*>& inputs,
                                const std::vector<core::Operand*>& outputs);
  void IdentifyInputsAndOutputs(const std::vector<core::Operand*>& inputs,
                                const std::vector<core::Operand*>& outputs);
  // Checks the whole and puts the operations in an order in which they can run. Operands that no
  // operation touches leave the graph, and so does shape arithmetic whose numbers are known.
  void Finish();

  bool finished() const;
  size_t operand_count() const;
  // Of a finished model; nothing changes it any more.
  const core::Model& graph() const { return owned_.model; }
  // graph().operations[i] was added as number added_index()[i].
  const std::vector<size_t>& added_index() const { return added_index_; }
  // How many operations were added; those that are not in the graph became constants.
  size_t added_count() const { return added_index_.size() + folded_.size(); }

 private:
  void RequireBuilding() const;
  void RequireOwn(const core::Operand* operand, const char* what) const;
  void Infer(core::Operation* operation);
  void MakeTruthsPlain();
  void GatherConstants();
  void FoldShapes();
  void SetUntouchedAside();

  mutable Mutex mutex_;
  OwnedModel owned_;
  std::unordered_set<const core::Operand*> operands_;
  std::unordered_set<const core::Operation*> not_inferred_;
  std::unordered_set<const core::Operand*> to_gather_;
  std::vector<std::unique_ptr<void, void (*)(void*)>> immediates_;  // callers' constants, kept
  std::list<core::Operation> folded_;  // kept, as their operands' handles are
  OwnedModel untouched_;
  std::unique_ptr<void, void (*)(void*)> pool_{nullptr, &std::free};
  std::vector<size_t> added_index_;
  bool identified_ = false;
  bool finished_ = false;
};

// "CONV_2D" of 14, "-3" of a code without a name.
std::string OperationName(NNAdapterOperationType type);

// Checks everything that must hold of a whole model before types are inferred; returns the order in
// which its operations can run. Throws Error(INVALID_PARAMETER).
std::vector<size_t> CheckStructure(const core::Model& model);
// Checks the types, once all are inferred.
void CheckTypes(const core::Model& model);
// Turns shape arithmetic whose numbers are known into constants; returns the operations that it
// took out of the model, whose operations must stand in order.
std::list<core::Operation> FoldKnownShapes(core::Model* model);
// Places of SLICE beyond an end of a known size become that end.
void BoundSlices(core::Model* model);
// The operands that operations, inputs or outputs of the model name.
std::unordered_set<const core::Operand*> TouchedOperands(const core::Model& model);

}  // namespace nnadapter::runtime
