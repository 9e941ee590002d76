#pragma once

#include <string>
#include <vector>

#include "lite/nnadapter/device_test/case_file.h"

namespace device_test {

// A case as a finished model; ApiError where the runtime does not build it.
class Model {
 public:
  struct Answer {
    bool asked;  // false: the device cannot be asked
    bool taken;
    std::string why;
  };

  explicit Model(const Case& given);
  ~Model() { NNAdapterModel_destroy(model_); }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Answer Ask(NNAdapterContext* context) const;
  // Of the outputs, as the runtime inferred them.
  std::vector<int32_t> OutputPrecisions() const;
  NNAdapterModel* handle() const { return model_; }
  const Case& given() const { return given_; }

 private:
  void Build();
  void Add(const Operand& operand);

  const Case& given_;
  NNAdapterModel* model_ = nullptr;
  std::vector<NNAdapterOperand*> operands_;
};

}  // namespace device_test
