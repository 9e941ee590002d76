// Program: a block compiled for some devices and some shapes of its inputs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/core/program_desc.h"
#include "lite/kernels/nnadapter/device_session.h"

namespace paddle::lite::nnadapter_bridge {

// The block and the names around it; everything belongs to the Engine.
struct ProgramSource {
  const BlockDesc* block;
  const std::map<std::string, int>* op_versions;
  const std::vector<std::string>*input_names, *output_names;
  const std::vector<size_t>*data_inputs, *data_outputs;
  const std::vector<float>* input_scales;
};

class Program {
 public:
  // Converts and compiles. Throws DeviceError.
  Program(std::shared_ptr<DeviceSession> session, const ProgramSource& source,
          const std::vector<std::string>& devices, const std::vector<const Tensor*>& inputs);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // The inputs have the dtypes and ranks of this program, and its shapes where it is not dynamic.
  bool MayTake(const std::vector<const Tensor*>& inputs, const std::vector<size_t>& data) const;
  // False where the device asks for another program (INVALID_DIMENSIONS). Throws DeviceError.
  bool Run(const std::vector<const Tensor*>& inputs, const std::vector<size_t>& data_inputs,
           const std::vector<Tensor*>& outputs, const std::vector<size_t>& data_outputs);

  double last_run_ms() const { return last_run_ms_; }
  const std::string& devices() const { return devices_; }
  const std::vector<std::vector<int>>& operations() const { return operations_; }
  const std::string& runtime_report() const { return runtime_report_; }

 private:
  void Build(const ProgramSource& source, const std::vector<const Tensor*>& inputs);
  NNAdapterOperandType TypeOfInput(const std::string& name, const Tensor& tensor, float scale);
  void CompileModel(const ProgramSource& source, const std::vector<std::string>& devices,
                    const std::vector<const Tensor*>& inputs);
  void Release();

  std::shared_ptr<DeviceSession> session_;
  std::string devices_;
  bool dynamic_ = false;
  std::vector<TensorMeta> metas_;     // of the data inputs
  std::vector<std::string> names_;    // of the data inputs
  std::vector<size_t> model_inputs_;  // position among the data inputs, by the model's input
  NNAdapterModel* model_ = nullptr;
  NNAdapterCompilation* compilation_ = nullptr;
  NNAdapterExecution* execution_ = nullptr;
  std::vector<std::vector<int>> operations_;
  std::string runtime_report_;
  double last_run_ms_ = 0;
};

}  // namespace paddle::lite::nnadapter_bridge
