// Small models of NNAPI for tests of the layer: made through the C functions alone.
#pragma once

#include <android/NeuralNetworks.h>

#include <cstdint>
#include <vector>

#include "tests/cpp/check.h"

namespace paddle::lite::testing {

using Dims = std::vector<uint32_t>;

inline ANeuralNetworksOperandType NnapiType(int32_t code, const Dims& dims, float scale = 0,
                                            int32_t zero_point = 0) {
  return {code, static_cast<uint32_t>(dims.size()), dims.data(), scale, zero_point};
}

// Builds a model; every call must succeed.
class NnapiModel {
 public:
  NnapiModel() { CHECK(ANeuralNetworksModel_create(&model_) == ANEURALNETWORKS_NO_ERROR); }
  ~NnapiModel() { ANeuralNetworksModel_free(model_); }
  NnapiModel(const NnapiModel&) = delete;
  NnapiModel& operator=(const NnapiModel&) = delete;

  ANeuralNetworksModel* get() const { return model_; }

  uint32_t Operand(int32_t code, const Dims& dims = {}, float scale = 0, int32_t zero_point = 0) {
    const ANeuralNetworksOperandType type = NnapiType(code, dims, scale, zero_point);
    CHECK(ANeuralNetworksModel_addOperand(model_, &type) == ANEURALNETWORKS_NO_ERROR);
    return next_++;
  }
  uint32_t Floats(const Dims& dims) { return Operand(ANEURALNETWORKS_TENSOR_FLOAT32, dims); }
  template <typename T>
  uint32_t Constant(int32_t code, const Dims& dims, const std::vector<T>& values) {
    const uint32_t index = Operand(code, dims);
    CHECK(ANeuralNetworksModel_setOperandValue(model_, static_cast<int32_t>(index), values.data(),
                                               values.size() * sizeof(T)) ==
          ANEURALNETWORKS_NO_ERROR);
    return index;
  }
  uint32_t Scalar(int32_t number) { return Constant<int32_t>(ANEURALNETWORKS_INT32, {}, {number}); }
  uint32_t Model(const NnapiModel& value) {
    const uint32_t index = Operand(ANEURALNETWORKS_MODEL);
    CHECK(ANeuralNetworksModel_setOperandValueFromModel(model_, static_cast<int32_t>(index),
                                                        value.model_) == ANEURALNETWORKS_NO_ERROR);
    return index;
  }
  void Operation(int32_t code, const std::vector<uint32_t>& inputs,
                 const std::vector<uint32_t>& outputs) {
    CHECK(ANeuralNetworksModel_addOperation(model_, code, static_cast<uint32_t>(inputs.size()),
                                            inputs.data(), static_cast<uint32_t>(outputs.size()),
                                            outputs.data()) == ANEURALNETWORKS_NO_ERROR);
  }
  void Finish(const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& outputs) {
    CHECK(ANeuralNetworksModel_identifyInputsAndOutputs(
              model_, static_cast<uint32_t>(inputs.size()), inputs.data(),
              static_cast<uint32_t>(outputs.size()), outputs.data()) == ANEURALNETWORKS_NO_ERROR);
    CHECK(ANeuralNetworksModel_finish(model_) == ANEURALNETWORKS_NO_ERROR);
  }

 private:
  ANeuralNetworksModel* model_ = nullptr;
  uint32_t next_ = 0;
};

// output = input + number, of shape [n]; 0: unknown.
inline void MakeAdder(NnapiModel* model, uint32_t n, float number) {
  const uint32_t input = model->Floats({n}), output = model->Floats({n});
  const uint32_t added = model->Constant<float>(ANEURALNETWORKS_TENSOR_FLOAT32, {1}, {number});
  model->Operation(ANEURALNETWORKS_ADD, {input, added, model->Scalar(ANEURALNETWORKS_FUSED_NONE)},
                   {output});
  model->Finish({input}, {output});
}

// Finished.
inline ANeuralNetworksCompilation* Compiled(const NnapiModel& model) {
  ANeuralNetworksCompilation* compilation = nullptr;
  CHECK(ANeuralNetworksCompilation_create(model.get(), &compilation) == ANEURALNETWORKS_NO_ERROR);
  CHECK(ANeuralNetworksCompilation_finish(compilation) == ANEURALNETWORKS_NO_ERROR);
  return compilation;
}

}  // namespace paddle::lite::testing
