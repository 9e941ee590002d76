// DeviceBlock: a block compiled for some devices and some shapes of its inputs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lite/kernels/nnadapter/compiled_block.h"
#include "lite/kernels/nnadapter/device_session.h"

namespace paddle::lite::nnadapter_bridge {

class DeviceBlock final : public CompiledBlock {
 public:
  // Converts and compiles, for the settings' candidate shapes or for the inputs' alone. Throws
  // DeviceError.
  DeviceBlock(std::shared_ptr<DeviceSession> session, const BlockSource& source,
              const std::vector<std::string>& devices, const std::vector<const Tensor*>& inputs,
              bool candidates);
  ~DeviceBlock() override;
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;

  // The inputs have the dtypes and ranks of this program, and its shapes where it is not dynamic.
  bool MayTake(const std::vector<const Tensor*>& inputs) const override;
  bool Run(const std::vector<const Tensor*>& inputs, const std::vector<Tensor*>& outputs,
           int threads) override;
  std::string devices() const override { return devices_; }
  std::vector<std::vector<int>> operations() const override { return operations_; }
  std::optional<RuntimeReport> runtime_report() const override { return runtime_report_; }

 private:
  // Finds the outputs that follow from shapes alone: no device computes them.
  void FindConstants(const std::vector<const Tensor*>& inputs);
  // Whether each operator is needed for outputs that are not constants.
  std::vector<bool> Needed() const;
  void Build(const std::vector<const Tensor*>& inputs);
  NNAdapterOperandType TypeOfInput(const std::string& name, const Tensor& tensor, float scale);
  // A compiled program's name in caches.
  std::string CacheToken(const std::vector<const Tensor*>& inputs) const;
  void CompileModel(const std::vector<std::string>& devices,
                    const std::vector<const Tensor*>& inputs);
  void Release();

  std::shared_ptr<DeviceSession> session_;
  BlockSource source_;
  std::string devices_;
  bool candidates_, dynamic_ = false, ran_ = false;
  std::vector<TensorMeta> metas_;       // of the data inputs
  std::vector<std::string> names_;      // of the data inputs
  std::vector<size_t> model_outputs_;   // position among the outputs, by the model's output
  std::vector<bool> zero_dim_;          // of these, which the model computes as [1]
  std::map<size_t, Tensor> constants_;  // by position among the outputs
  std::vector<size_t> model_inputs_;    // position among the data inputs, by the model's input
  NNAdapterModel* model_ = nullptr;
  NNAdapterCompilation* compilation_ = nullptr;
  NNAdapterExecution* execution_ = nullptr;
  std::vector<std::vector<int>> operations_;
  std::optional<RuntimeReport> runtime_report_;
};

}  // namespace paddle::lite::nnadapter_bridge
