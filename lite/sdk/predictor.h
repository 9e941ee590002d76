// The predictors of the API over the one runtime.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lite/api/light_predictor.h"
#include "lite/sdk/include/paddle_api.h"

namespace paddle::lite::sdk {

class MobilePredictor : public lite_api::PaddlePredictor {
 public:
  explicit MobilePredictor(std::shared_ptr<LightPredictor> predictor);

  std::unique_ptr<lite_api::Tensor> GetInput(int index) override;
  std::unique_ptr<const lite_api::Tensor> GetOutput(int index) const override;
  std::unique_ptr<lite_api::Tensor> GetInputByName(const std::string& name) override;
  std::unique_ptr<const lite_api::Tensor> GetOutputByName(const std::string& name) const override;
  std::unique_ptr<const lite_api::Tensor> GetTensor(const std::string& name) const override;
  std::unique_ptr<lite_api::Tensor> GetMutableTensor(const std::string& name) override;
  std::vector<std::string> GetInputNames() override;
  std::vector<std::string> GetOutputNames() override;
  std::vector<std::string> GetParamNames() override;
  void Run() override { predictor_->Run(); }
  void Cancel() override { predictor_->Cancel(); }
  std::shared_ptr<PaddlePredictor> Clone() override;
  std::shared_ptr<PaddlePredictor> Clone(const std::vector<std::string>& var_names) override;
  bool TryShrinkMemory() override;
  std::string GetVersion() const override;
  void SaveOptimizedModel(const std::string& path, lite_api::LiteModelType type,
                          bool record_info) override;
  std::string PlacementJson() const override;

 protected:
  const std::shared_ptr<LightPredictor>& predictor() const { return predictor_; }

 private:
  std::shared_ptr<LightPredictor> predictor_;
};

// What a configuration asks of devices, threads and precision. Throws ConfigError for settings
// without a device, and for a precision that is none.
LoadSettings SettingsOf(const lite_api::ConfigBase& config);

// The number of threads, and the cores that they may use.
void PlaceThreads(const lite_api::ConfigBase& config, const LoadSettings& settings,
                  LightPredictor* predictor);

// What runs on which device, as JSON; `placement` is the optimizer's own report or empty.
std::string PlacementAsJson(const LightPredictor& predictor, const std::string& placement);

}  // namespace paddle::lite::sdk
