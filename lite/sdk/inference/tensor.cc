// paddle_infer::Tensor over the SDK's.
#include <cstring>
#include <limits>

#include "lite/core/base/errors.h"
#include "lite/sdk/include/paddle_api.h"
#include "lite/sdk/include/paddle_tensor.h"
#include "lite/sdk/inference/data_type.h"

namespace paddle_infer {
namespace {

using paddle::lite::ConfigError;
using paddle::lite::DataTypeError;
using paddle::lite::ShapeError;
using paddle::lite::StrCat;

template <typename T>
struct Element;
template <>
struct Element<float> {
  static constexpr DataType kType = FLOAT32;
};
template <>
struct Element<double> {
  static constexpr DataType kType = FLOAT64;
};
template <>
struct Element<int8_t> {
  static constexpr DataType kType = INT8;
};
template <>
struct Element<uint8_t> {
  static constexpr DataType kType = UINT8;
};
template <>
struct Element<int32_t> {
  static constexpr DataType kType = INT32;
};
template <>
struct Element<int64_t> {
  static constexpr DataType kType = INT64;
};
template <>
struct Element<bool> {
  static constexpr DataType kType = BOOL;
};

size_t Count(const paddle::lite_api::Tensor& tensor) {
  size_t count = 1;
  for (const int64_t dim : tensor.shape()) count *= static_cast<size_t>(dim);
  return count;
}

template <typename To, typename From>
void Convert(const std::string& name, const From* from, size_t count, To* to) {
  for (size_t i = 0; i < count; ++i) {
    to[i] = static_cast<To>(from[i]);
    if (static_cast<From>(to[i]) != from[i])
      throw DataTypeError(StrCat("input '", name, "' takes ", NameOf(Element<To>::kType),
                                 ", which cannot hold ", from[i]));
  }
}

// Operators on indices take both kinds of integers.
template <typename T>
bool CopyConverted(const std::string&, paddle::lite_api::Tensor*, DataType, const T*) {
  return false;
}
template <typename To, typename From>
bool CopyAs(const std::string& name, paddle::lite_api::Tensor* tensor, const From* from) {
  Convert(name, from, Count(*tensor), tensor->mutable_data<To>());
  return true;
}
template <>
bool CopyConverted(const std::string& name, paddle::lite_api::Tensor* tensor, DataType declared,
                   const int32_t* from) {
  return declared == INT64 && CopyAs<int64_t>(name, tensor, from);
}
template <>
bool CopyConverted(const std::string& name, paddle::lite_api::Tensor* tensor, DataType declared,
                   const int64_t* from) {
  return declared == INT32 && CopyAs<int32_t>(name, tensor, from);
}

[[noreturn]] void NoTexts(const std::string& name) {
  throw ConfigError(StrCat("'", name,
                           "' is a tensor of numbers; texts are for models that tokenise, which "
                           "are not run here"));
}

}  // namespace

Tensor::Tensor(const std::string& name, std::unique_ptr<paddle::lite_api::Tensor> tensor)
    : name_(name), tensor_(std::move(tensor)) {}
Tensor::~Tensor() = default;

void Tensor::Reshape(const std::vector<int>& shape) {
  tensor_->Resize(paddle::lite_api::shape_t(shape.begin(), shape.end()));
}

template <typename T>
T* Tensor::mutable_data(PlaceType) {
  return tensor_->mutable_data<T>();
}

template <typename T>
T* Tensor::data(PlaceType* place, int* size) const {
  if (type() != Element<T>::kType)
    throw DataTypeError(StrCat("'", name_, "' is ", NameOf(type()), " and was read as ",
                               NameOf(Element<T>::kType), "; type() says what it is"));
  const size_t count = Count(*tensor_);
  if (count > static_cast<size_t>(std::numeric_limits<int>::max()))
    throw ShapeError(StrCat("'", name_, "' has ", count, " elements, more than an int can count"));
  if (place != nullptr) *place = PlaceType::kCPU;
  if (size != nullptr) *size = static_cast<int>(count);
  return const_cast<T*>(tensor_->data<T>());
}

template <typename T>
void Tensor::CopyFromCpu(const T* data) {
  if (data == nullptr) throw ConfigError(StrCat("CopyFromCpu: '", name_, "' was given null"));
  if (!CopyConverted(name_, tensor_.get(), type(), data))
    tensor_->CopyFromCpu<T, paddle::lite_api::TargetType::kHost>(data);
}

template <typename T>
void Tensor::CopyToCpu(T* target) const {
  int count = 0;
  const T* const from = data<T>(nullptr, &count);
  if (count != 0 && target == nullptr)
    throw ConfigError(StrCat("CopyToCpu: '", name_, "' was given null"));
  if (count != 0) std::memcpy(target, from, static_cast<size_t>(count) * sizeof(T));
}

template <typename T>
void Tensor::CopyToCpuAsync(T* target, void*) const {
  CopyToCpu(target);
}

template <typename T>
void Tensor::CopyToCpuAsync(T* target, CallbackFunc callback, void* parameter) const {
  CopyToCpu(target);
  if (callback != nullptr) callback(parameter);
}

template <typename T>
void Tensor::ShareExternalData(const T* data, const std::vector<int>& shape, PlaceType,
                               DataLayout) {
  Reshape(shape);
  tensor_->SetPrecision(PrecisionOf(Element<T>::kType));
  tensor_->ShareExternalMemory(const_cast<T*>(data), Count(*tensor_) * sizeof(T),
                               paddle::lite_api::TargetType::kHost);
}

#define LITE_TENSOR_TYPE(T)                                                              \
  template LITE_API T* Tensor::mutable_data<T>(PlaceType);                               \
  template LITE_API T* Tensor::data<T>(PlaceType*, int*) const;                          \
  template LITE_API void Tensor::CopyFromCpu<T>(const T*);                               \
  template LITE_API void Tensor::CopyToCpu<T>(T*) const;                                 \
  template LITE_API void Tensor::CopyToCpuAsync<T>(T*, void*) const;                     \
  template LITE_API void Tensor::CopyToCpuAsync<T>(T*, CallbackFunc, void*) const;       \
  template LITE_API void Tensor::ShareExternalData<T>(const T*, const std::vector<int>&, \
                                                      PlaceType, DataLayout);

LITE_TENSOR_TYPE(float)
LITE_TENSOR_TYPE(double)
LITE_TENSOR_TYPE(int8_t)
LITE_TENSOR_TYPE(uint8_t)
LITE_TENSOR_TYPE(int32_t)
LITE_TENSOR_TYPE(int64_t)
LITE_TENSOR_TYPE(bool)

#undef LITE_TENSOR_TYPE

void Tensor::ReshapeStrings(const size_t&) { NoTexts(name_); }
void Tensor::CopyStringsFromCpu(const Strings*) { NoTexts(name_); }

std::vector<int> Tensor::shape() const {
  std::vector<int> dims;
  for (const int64_t dim : tensor_->shape()) {
    if (dim > std::numeric_limits<int>::max())
      throw ShapeError(StrCat("'", name_, "' has a dimension of ", dim, ", more than an int"));
    dims.push_back(static_cast<int>(dim));
  }
  return dims;
}

DataType Tensor::type() const { return DataTypeOf(tensor_->precision()); }

std::vector<std::vector<size_t>> Tensor::lod() const {
  std::vector<std::vector<size_t>> levels;
  for (const auto& level : tensor_->lod()) levels.emplace_back(level.begin(), level.end());
  return levels;
}

void Tensor::SetLoD(const std::vector<std::vector<size_t>>& lod) {
  paddle::lite_api::lod_t levels;
  for (const auto& level : lod) levels.emplace_back(level.begin(), level.end());
  tensor_->SetLoD(levels);
}

}  // namespace paddle_infer
