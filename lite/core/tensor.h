// Tensor: shape, element type, LoD and memory that is owned, shared or borrowed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lite/core/dim.h"
#include "lite/core/types.h"

namespace paddle::lite {

// Level of detail: per level the offsets of its sequences, e.g. {{0, 3, 5}}.
using LoD = std::vector<std::vector<uint64_t>>;

// What is known of a tensor before it has data.
struct TensorMeta {
  DDim dims;
  DataType dtype = DataType::kFP32;
  LoD lod;
  bool operator==(const TensorMeta& o) const {
    return dtype == o.dtype && dims == o.dims && lod == o.lod;
  }
};

class TensorList;

class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(TensorMeta meta) : meta_(std::move(meta)) {}

  const TensorMeta& meta() const { return meta_; }
  const DDim& dims() const { return meta_.dims; }
  DataType dtype() const { return meta_.dtype; }
  const LoD& lod() const { return meta_.lod; }
  int64_t numel() const { return meta_.dims.production(); }
  // Bytes of the elements; throws ShapeError where that overflows.
  size_t memory_size() const;

  // Memory order of a 4-D tensor; dims() are always N, C, H, W.
  DataLayoutType layout() const { return layout_; }
  void set_layout(DataLayoutType layout) { layout_ = layout; }

  // Elements between the pixels of an NHWC tensor that is a slice of the channels of a larger one;
  // 0: it has memory of its own. Only kernels that say so (KernelTraits) meet slices.
  int64_t pixel_stride() const { return pixel_stride_; }
  void set_pixel_stride(int64_t stride) { pixel_stride_ = static_cast<int32_t>(stride); }

  void Resize(const DDim& dims) { meta_.dims = dims; }
  void set_lod(LoD lod) { meta_.lod = std::move(lod); }
  void set_dtype(DataType dtype) { meta_.dtype = dtype; }
  void set_meta(const TensorMeta& meta) { meta_ = meta; }

  // A constant of the model: its data is known when the plan is made and never changes.
  bool persistable() const { return persistable_; }
  void set_persistable(bool persistable) { persistable_ = persistable; }

  bool has_data() const { return data_ != nullptr; }
  // False for a variable that nothing has written yet.
  bool has_value() const { return has_data() || list_ != nullptr || numel() == 0; }
  // A list of tensors stands in place of elements; null: none does.
  const TensorList* list() const { return list_.get(); }
  void set_list(std::shared_ptr<const TensorList> list) { list_ = std::move(list); }
  const void* raw_data() const { return data_; }
  void* raw_data() { return data_; }

  // Elements as T. Throws DataTypeError where the tensor holds another type.
  template <typename T>
  const T* data() const {
    CheckType(DataTypeOf<T>::value);
    return static_cast<const T*>(data_);
  }
  // Writable elements as T, allocated where the tensor has too little memory. A tensor that the
  // plan bound to memory keeps its type; any other takes T's.
  template <typename T>
  T* mutable_data() {
    return static_cast<T*>(MutableRaw(DataTypeOf<T>::value));
  }
  void* MutableRaw(DataType dtype);

  // Resizes, sets the type and allocates.
  void Allocate(const DDim& dims, DataType dtype);
  // Uses `bytes` of foreign memory, which `holder` keeps alive (null: the caller does).
  void Bind(void* data, size_t bytes, std::shared_ptr<void> holder = nullptr);
  // The same memory, shape, type and LoD as `other`.
  void ShareDataWith(const Tensor& other) { *this = other; }
  // A deep copy with memory of its own.
  void CopyDataFrom(const Tensor& other);
  // Forgets the memory, keeps shape and type.
  void ReleaseData();

 private:
  void CheckType(DataType wanted) const;

  TensorMeta meta_;
  DataLayoutType layout_ = DataLayoutType::kNCHW;
  void* data_ = nullptr;
  size_t capacity_ = 0;
  bool persistable_ = false;
  bool bound_ = false;  // memory given by Bind: its type and size are fixed
  int32_t pixel_stride_ = 0;
  std::shared_ptr<void> holder_;
  std::shared_ptr<const TensorList> list_;
};

}  // namespace paddle::lite
