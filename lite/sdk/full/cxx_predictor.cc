// The predictor of a CxxConfig: what the converter made of the model, in the one runtime.
#include "lite/sdk/devices.h"
#include "lite/sdk/full/converter.h"
#include "lite/sdk/full/kept_model.h"
#include "lite/sdk/predictor.h"

namespace paddle::lite::sdk {
namespace {

// What clones share.
struct Origin {
  lite_api::CxxConfig config;
  bool offline;
  std::string placement;
};

class CxxPredictor final : public MobilePredictor {
 public:
  CxxPredictor(std::shared_ptr<LightPredictor> predictor, std::shared_ptr<const Origin> origin)
      : MobilePredictor(std::move(predictor)), origin_(std::move(origin)) {}

  using MobilePredictor::Clone;
  std::shared_ptr<PaddlePredictor> Clone() override {
    return std::make_shared<CxxPredictor>(predictor()->Clone(), origin_);
  }
  void SaveOptimizedModel(const std::string& path, lite_api::LiteModelType type,
                          bool record_info) override {
    ConvertToFiles(origin_->config, origin_->offline, path, type, record_info);
  }
  std::string PlacementJson() const override {
    return PlacementAsJson(*predictor(), origin_->placement);
  }

 private:
  std::shared_ptr<const Origin> origin_;
};

}  // namespace
}  // namespace paddle::lite::sdk

namespace paddle::lite_api {

std::shared_ptr<PaddlePredictor> CreateCxxPredictor(const CxxConfig& config) {
  const lite::LoadSettings settings = lite::sdk::SettingsOf(config);
  const bool offline =
      settings.devices.device_names != lite::sdk::DevicesNamed(config.nnadapter_device_names());
  const lite::sdk::KeptModel kept(config);
  std::string placement;
  auto predictor = kept.Load(settings);
  if (predictor == nullptr) {
    lite::sdk::Converted converted = lite::sdk::Convert(config, offline);
    kept.Write(converted.nb.get(), converted.nb_bytes);
    predictor = lite::LightPredictor::FromOwnBuffer(converted.nb, converted.nb_bytes, settings);
    placement = std::move(converted.placement);
  }
  lite::sdk::PlaceThreads(config, settings, predictor.get());
  return std::make_shared<lite::sdk::CxxPredictor>(
      std::move(predictor), std::make_shared<const lite::sdk::Origin>(
                                lite::sdk::Origin{config, offline, std::move(placement)}));
}

}  // namespace paddle::lite_api
