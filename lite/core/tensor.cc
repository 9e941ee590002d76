#include "lite/core/tensor.h"

#include <cstring>

#include "lite/core/memory.h"

namespace paddle::lite {

size_t Tensor::memory_size() const {
  size_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<size_t>(numel()), SizeOf(dtype()), &bytes))
    throw ShapeError(StrCat("a ", Name(dtype()), " tensor of shape ", dims(), " is too large"));
  return bytes;
}

void Tensor::CheckType(DataType wanted) const {
  if (meta_.dtype != wanted)
    throw DataTypeError(StrCat("a tensor of shape ", dims(), " holds ", Name(dtype()), ", but ",
                               Name(wanted), " is needed"));
  if (data_ == nullptr && numel() != 0)
    throw LiteError(StrCat("a tensor of shape ", dims(), " has no data yet"));
}

void* Tensor::MutableRaw(DataType dtype) {
  if (bound_ && meta_.dtype != dtype)
    throw DataTypeError(
        StrCat("an output of type ", Name(meta_.dtype), " was written as ", Name(dtype)));
  meta_.dtype = dtype;
  list_.reset();
  const size_t bytes = memory_size();
  if (data_ == nullptr || capacity_ < bytes) {
    if (bound_) throw LiteError(StrCat("an output of ", bytes, " bytes has room for ", capacity_));
    holder_ = AllocateAligned(bytes);
    data_ = holder_.get();
    capacity_ = bytes;
  }
  return data_;
}

void Tensor::Allocate(const DDim& dims, DataType dtype) {
  meta_.dims = dims;
  MutableRaw(dtype);
}

void Tensor::Bind(void* data, size_t bytes, std::shared_ptr<void> holder) {
  data_ = data;
  capacity_ = bytes;
  bound_ = true;
  holder_ = std::move(holder);
}

void Tensor::CopyDataFrom(const Tensor& other) {
  if (other.list_ != nullptr) return ShareDataWith(other);
  Tensor copy(other.meta_);
  copy.layout_ = other.layout_;
  const size_t bytes = other.memory_size();
  if (bytes != 0 && other.data_ == nullptr)
    throw LiteError(StrCat("a tensor of ", bytes, " bytes has not been written"));
  void* to = copy.MutableRaw(other.dtype());
  if (bytes) std::memcpy(to, other.data_, bytes);
  *this = std::move(copy);
}

void Tensor::ReleaseData() {
  data_ = nullptr;
  capacity_ = 0;
  bound_ = false;
  holder_.reset();
}

}  // namespace paddle::lite
