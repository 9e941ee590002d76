// From a configuration of Paddle Inference's programs to a predictor of the SDK.
#pragma once

#include <memory>

#include "lite/sdk/include/paddle_analysis_config.h"
#include "lite/sdk/include/paddle_api.h"

namespace paddle {

// Throws what MobileConfig's and CxxConfig's predictors throw; ConfigError where it names no model,
// or a device that is not here.
std::shared_ptr<lite_api::PaddlePredictor> OpenModel(const AnalysisConfig& config);

}  // namespace paddle
