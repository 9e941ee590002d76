// ModelBuilder: Paddle operators -> one NNAdapter model, through the C API. What can be converted
// and how is declared in operators.yaml; the support check is the conversion itself.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"
#include "lite/kernels/nnadapter/nnadapter_api.h"

namespace paddle::lite::nnadapter_bridge {

struct ConvertOptions {
  // The newest version of each operator in the program (OpVersionMap); 0 where it is not named.
  std::map<std::string, int> op_versions;
  // False at run time: the versions were checked when the program was partitioned.
  bool check_op_versions = true;
  // The lowest version among the devices that the model is for.
  int driver_version = 1;
};

class ModelBuilder {
 public:
  // Throws DeviceError where NNAdapter is missing.
  explicit ModelBuilder(ConvertOptions options = {});
  ~ModelBuilder();
  ModelBuilder(const ModelBuilder&) = delete;
  ModelBuilder& operator=(const ModelBuilder&) = delete;

  // A variable that is fed. Inputs become the model's inputs in this order; ones that no operation
  // reads are not part of the model (see inputs()).
  // `has_lod`: its rows are those of sequences, whose number some operators use.
  void AddInput(const std::string& var, const NNAdapterOperandType& type, bool has_lod = false);
  // A constant. The tensor must outlive the model and what is compiled from it; nothing is copied,
  // and operators that do not read it do not put it into the model.
  void AddParameter(const std::string& var, const Tensor& tensor);

  // Adds an operator's operations. Throws NotOffloadable where that is not possible; nothing was
  // added to the model then unless damaged() says so. Throws DeviceError where NNAdapter fails for
  // a reason that is not the operator's.
  void Convert(const OpDesc& op);
  // A refused operator left operations behind: the model can be asked for types, not be finished.
  bool damaged() const;

  bool Has(const std::string& var) const;
  // What is known of a variable by now. Throws LiteError where it is not in the model.
  const NNAdapterOperandType& TypeOf(const std::string& var) const;
  // It has shape [1] in the model and stands for a 0-dim tensor.
  bool IsZeroDim(const std::string& var) const;

  // Names the outputs and finishes the model. A variable that is an input or a parameter as well
  // passes through an ASSIGN. Throws DeviceError.
  void Finish(const std::vector<std::string>& outputs);

  // The model's inputs, in its own order: those of AddInput that some operation reads.
  std::vector<std::string> inputs() const;

  NNAdapterModel* model() const;
  // The caller becomes the owner.
  NNAdapterModel* ReleaseModel();

  int operation_count() const;
  const std::vector<NNAdapterOperationType>& operation_types() const;
  // For each operator in the order of Convert: the positions of its operations in the model. Empty
  // for operators that need none (their output is their input's operand).
  const std::vector<std::vector<int>>& operations_of() const;

  class Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace paddle::lite::nnadapter_bridge
