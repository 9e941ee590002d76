// TensorList: the value of a LOD_TENSOR_ARRAY variable.
#pragma once

#include <memory>
#include <vector>

#include "lite/core/tensor.h"

namespace paddle::lite {

// A list that never changes; adding at its end makes another one that shares its beginning.
class TensorList {
 public:
  TensorList() = default;

  size_t size() const { return size_; }
  // One that has not been written has no value.
  const Tensor& operator[](size_t index) const;
  // The same with `tensor` at `index`; the list grows to have that position. Throws LiteError where
  // all its tensors together are above the memory limit.
  TensorList With(size_t index, Tensor tensor) const;
  // The tensors [begin, end).
  TensorList Part(size_t begin, size_t end) const;

 private:
  using Storage = std::vector<std::shared_ptr<const Tensor>>;

  std::shared_ptr<Storage> tensors_;  // may be longer: later lists share it
  size_t size_ = 0;
  size_t bytes_ = 0;  // of its tensors
};

// A variable that holds the list.
Tensor ListTensor(TensorList list);

}  // namespace paddle::lite
