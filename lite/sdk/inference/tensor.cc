// paddle_infer::Tensor over the SDK's.
#include <cstring>
#include <limits>
#include <type_traits>

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
DataType ElementType() {
  return DataTypeOf(paddle::lite_api::PrecisionTypeTrait<T>::Type());
}

size_t Count(const std::string& name, const paddle::lite_api::Tensor& tensor) {
  size_t count = 1;
  for (const int64_t dim : tensor.shape()) {
    if (dim < 0) throw ShapeError(StrCat("'", name, "' has a free dimension: call Reshape()"));
    count *= static_cast<size_t>(dim);
  }
  return count;
}

template <typename To, typename From>
std::vector<To> Converted(const std::string& name, const From* from, size_t count) {
  std::vector<To> to(from, from + count);
  for (size_t i = 0; i < count; ++i)
    if (static_cast<From>(to[i]) != from[i])
      throw DataTypeError(StrCat("input '", name, "' takes ", NameOf(ElementType<To>()),
                                 ", which cannot hold ", from[i]));
  return to;
}

// Operators on indices take both kinds of integers; other types have no other.
template <typename T>
struct OtherInteger {
  using Type = T;
};
template <>
struct OtherInteger<int32_t> {
  using Type = int64_t;
};
template <>
struct OtherInteger<int64_t> {
  using Type = int32_t;
};

[[noreturn]] void NoTexts(const std::string& name) {
  throw ConfigError(StrCat("'", name,
                           "' is a tensor of numbers; texts are for models that tokenise, which "
                           "are not run here"));
}

}  // namespace

Tensor::Tensor(const std::string& name, std::unique_ptr<paddle::lite_api::Tensor> tensor)
    : name_(name), tensor_(std::move(tensor)) {}
Tensor::Tensor(Tensor&& other) noexcept = default;
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
  if (type() != ElementType<T>())
    throw DataTypeError(StrCat("'", name_, "' is ", NameOf(type()), " and was read as ",
                               NameOf(ElementType<T>()), "; type() says what it is"));
  const size_t count = Count(name_, *tensor_);
  if (count > static_cast<size_t>(std::numeric_limits<int>::max()))
    throw ShapeError(StrCat("'", name_, "' has ", count, " elements, more than an int can count"));
  if (place != nullptr) *place = PlaceType::kCPU;
  if (size != nullptr) *size = static_cast<int>(count);
  return const_cast<T*>(tensor_->data<T>());
}

template <typename T>
void Tensor::CopyFromCpu(const T* data) {
  if (data == nullptr) throw ConfigError(StrCat("CopyFromCpu: '", name_, "' was given null"));
  using Other = typename OtherInteger<T>::Type;
  if constexpr (!std::is_same_v<Other, T>)
    if (type() == ElementType<Other>())
      return CopyFromCpu(Converted<Other>(name_, data, Count(name_, *tensor_)).data());
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
  tensor_->SetPrecision(paddle::lite_api::PrecisionTypeTrait<T>::Type());
  tensor_->ShareExternalMemory(const_cast<T*>(data), Count(name_, *tensor_) * sizeof(T),
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
