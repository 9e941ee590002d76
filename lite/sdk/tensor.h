// What a Tensor of the API stands for: an input or output of a predictor.
#pragma once

#include <memory>

#include "lite/api/light_predictor.h"
#include "lite/sdk/include/paddle_api.h"

namespace paddle::lite_api {

class TensorImpl {
 public:
  TensorImpl(std::shared_ptr<lite::LightPredictor> predictor, size_t index, bool is_input)
      : predictor_(std::move(predictor)), index_(index), is_input_(is_input) {}

  lite::LightPredictor& predictor() const { return *predictor_; }
  size_t index() const { return index_; }
  bool is_input() const { return is_input_; }
  lite::TensorMeta meta() const {
    return is_input_ ? predictor_->InputMeta(index_) : predictor_->OutputMeta(index_);
  }
  // Throws for an output.
  void RequireInput() const;
  // The elements; null takes any type. Another than `dtype` throws, but an output gives its bytes
  // where elements of `dtype` are no larger.
  const void* Data(const lite::DataType* dtype) const;
  // Memory for the elements of an input, which takes the type, or those of an output.
  void* MutableData(const lite::DataType* dtype) const;

 private:
  void SayReinterpreted(lite::DataType wanted) const;

  std::shared_ptr<lite::LightPredictor> predictor_;
  size_t index_;
  bool is_input_;
};

}  // namespace paddle::lite_api
