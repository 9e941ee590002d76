// The converter, paddle_lite_opt: optimises models of every format for the full library.
#pragma once

#include <memory>
#include <string>

#include "lite/core/fingerprint.h"
#include "lite/sdk/include/paddle_api.h"

namespace paddle::lite::sdk {

struct Converted {
  std::shared_ptr<void> nb;  // the bytes of a `.nb` file, from AllocateAligned
  size_t nb_bytes;
  std::string placement;  // the optimizer's report as JSON; empty without devices
};

// What decides, besides the model itself, what the converter makes of it.
void FingerprintSettings(const lite_api::CxxConfig& config, Fingerprint* to);

// The model as the runtime takes it; `offline` where drivers of devices are not here. Throws what
// the converter raised, with its words; LiteError where the converter is not there, fails or does
// not finish (LITE_OPT, LITE_OPT_TIMEOUT).
Converted Convert(const lite_api::CxxConfig& config, bool offline);

// Writes the model as PaddlePredictor::SaveOptimizedModel does. Throws as Convert.
void ConvertToFiles(const lite_api::CxxConfig& config, bool offline, const std::string& path,
                    lite_api::LiteModelType type, bool record_info);

}  // namespace paddle::lite::sdk
