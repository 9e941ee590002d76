#include "lite/core/tensor_list.h"

#include "lite/core/memory.h"

namespace paddle::lite {

const Tensor& TensorList::operator[](size_t index) const {
  static const Tensor unwritten;
  const std::shared_ptr<const Tensor>& tensor = (*tensors_)[index];
  return tensor ? *tensor : unwritten;
}

TensorList TensorList::With(size_t index, Tensor tensor) const {
  constexpr size_t kBytes = sizeof(Storage::value_type);
  TensorList list = *this;
  if (index >= SIZE_MAX / kBytes) throw ShapeError(StrCat("a list has no position ", index));
  if (index < size_) list.bytes_ -= (*this)[index].has_data() ? (*this)[index].memory_size() : 0;
  list.bytes_ += tensor.memory_size();
  CheckMemoryLimit(list.bytes_ + (index + 1) * kBytes, "a list of tensors");
  // Only the longest of the lists that share memory may put something behind its end.
  const bool shares = size_ > 0 && index >= size_ && size_ == tensors_->size();
  if (!shares) {
    list.tensors_ = std::make_shared<Storage>();
    if (size_ > 0)
      list.tensors_->assign(tensors_->begin(), tensors_->begin() + static_cast<ptrdiff_t>(size_));
  }
  if (index >= list.tensors_->size()) list.tensors_->resize(index + 1);
  (*list.tensors_)[index] = std::make_shared<const Tensor>(std::move(tensor));
  list.size_ = list.tensors_->size();
  return list;
}

TensorList TensorList::Part(size_t begin, size_t end) const {
  TensorList list;
  if (begin >= end) return list;
  list.tensors_ = std::make_shared<Storage>(tensors_->begin() + static_cast<ptrdiff_t>(begin),
                                            tensors_->begin() + static_cast<ptrdiff_t>(end));
  list.size_ = end - begin;
  for (size_t i = 0; i < list.size_; ++i)
    if (list[i].has_data()) list.bytes_ += list[i].memory_size();
  return list;
}

Tensor ListTensor(TensorList list) {
  Tensor tensor;
  tensor.Resize({0});
  tensor.set_list(std::make_shared<const TensorList>(std::move(list)));
  return tensor;
}

}  // namespace paddle::lite
