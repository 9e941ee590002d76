// What the converter made of a model, kept as a `.nb` file: the next start needs no converter.
#pragma once

#include <string>

#include "lite/api/light_predictor.h"
#include "lite/sdk/include/paddle_api.h"

namespace paddle::lite::sdk {

class KeptModel {
 public:
  // Where the configuration's folder has it, by the contents of the model's files and of this
  // library, and the settings. Nowhere without a folder; for devices, whose drivers decide what
  // they take, and for ONNX, whose weights may be in files that only the converter knows.
  explicit KeptModel(const lite_api::CxxConfig& config);

  // Null where it is not kept, or damaged.
  std::shared_ptr<LightPredictor> Load(const LoadSettings& settings) const;
  // Others see the whole file or none. Says on stderr where it cannot be written.
  void Write(const void* nb, size_t bytes) const;

 private:
  std::string path_;  // "": nowhere
};

}  // namespace paddle::lite::sdk
