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
  // The elements; null takes any type. An output of another type is read as its bytes, as Paddle
  // Lite does (its OCR demonstration reads int64 as pairs of int32); a wider `dtype` throws.
  const void* Data(const lite::DataType* dtype) const;
  // Memory for the elements of an input, which takes the type, or those of an output.
  void* MutableData(const lite::DataType* dtype) const;

 private:
  // The type under which the predictor gives elements that are wanted as `dtype`.
  lite::DataType Readable(const lite::DataType* dtype) const;

  std::shared_ptr<lite::LightPredictor> predictor_;
  size_t index_;
  bool is_input_;
};

}  // namespace paddle::lite_api
