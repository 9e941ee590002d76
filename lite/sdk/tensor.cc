#include "lite/sdk/tensor.h"

#include <cstring>

#include "lite/sdk/notice.h"

namespace paddle::lite_api {
namespace {

// The type that elements of T have; null for void, which takes any.
template <typename T>
struct Wanted {
  static constexpr lite::DataType kType = lite::DataTypeOf<T>::value;
  static constexpr const lite::DataType* kPointer = &kType;
};
template <>
struct Wanted<void> {
  static constexpr const lite::DataType* kPointer = nullptr;
};
template <>
struct Wanted<uint16_t> {
  static constexpr lite::DataType kType = lite::DataType::kFP16;
  static constexpr const lite::DataType* kPointer = &kType;
};

lite::DataType ToDataType(PrecisionType precision) {
  using lite::DataType;
  for (const DataType type :
       {DataType::kBool, DataType::kInt16, DataType::kInt32, DataType::kInt64, DataType::kFP16,
        DataType::kFP32, DataType::kFP64, DataType::kUInt8, DataType::kInt8})
    if (static_cast<int>(lite::ToPrecision(type)) == static_cast<int>(precision)) return type;
  throw lite::ConfigError(
      lite::StrCat("a tensor cannot have the precision ", PrecisionToStr(precision)));
}

}  // namespace

void TensorImpl::RequireInput() const {
  if (!is_input_)
    throw lite::LiteError(lite::StrCat("output '", predictor_->outputs()[index_].name,
                                       "' is written by Run() and cannot be set"));
}

void TensorImpl::SayReinterpreted(lite::DataType wanted) const {
  if (!lite::sdk::IsVerbose()) return;
  const lite::DataType found = meta().dtype;
  if (found == wanted) return;
  lite::sdk::SayOnce(lite::StrCat("output '", predictor_->outputs()[index_].name, "' holds ",
                                  lite::Name(found), " and is read as ", lite::Name(wanted),
                                  ": these are its bytes, not its values"));
}

const void* TensorImpl::Data(const lite::DataType* dtype) const {
  const lite::DataType wanted = dtype != nullptr ? *dtype : meta().dtype;
  if (is_input_) return predictor_->InputData(index_, wanted);
  const void* data = predictor_->OutputData(index_, wanted);
  SayReinterpreted(wanted);
  return data;
}

void* TensorImpl::MutableData(const lite::DataType* dtype) const {
  const lite::DataType wanted = dtype != nullptr ? *dtype : meta().dtype;
  if (is_input_) return predictor_->MutableInput(index_, wanted);
  void* data = predictor_->MutableOutput(index_, wanted);
  SayReinterpreted(wanted);
  return data;
}

Tensor::Tensor(std::shared_ptr<TensorImpl> impl) : impl_(std::move(impl)) {}
Tensor::~Tensor() = default;

void Tensor::Resize(const shape_t& shape) {
  impl_->RequireInput();
  impl_->predictor().ResizeInput(impl_->index(), lite::DDim(shape));
}

shape_t Tensor::shape() const { return impl_->meta().dims.Vectorize(); }

PrecisionType Tensor::precision() const {
  return static_cast<PrecisionType>(lite::ToPrecision(impl_->meta().dtype));
}

void Tensor::SetPrecision(PrecisionType precision) {
  impl_->RequireInput();
  impl_->predictor().SetInputType(impl_->index(), ToDataType(precision));
}

TargetType Tensor::target() const { return TargetType::kHost; }

bool Tensor::IsInitialized() const {
  return impl_->is_input() ? impl_->predictor().HasInput(impl_->index())
                           : impl_->predictor().HasOutputs();
}

lod_t Tensor::lod() const { return impl_->meta().lod; }

void Tensor::SetLoD(const lod_t& lod) {
  impl_->RequireInput();
  impl_->predictor().SetInputLoD(impl_->index(), lod);
}

void Tensor::ShareExternalMemory(void* data, size_t bytes, TargetType) {
  impl_->RequireInput();
  impl_->predictor().ShareInput(impl_->index(), data, bytes);
}

void* Tensor::mutable_metal_data(void*) const {
  throw lite::ConfigError("there is no Metal; use mutable_data<T>()");
}

template <typename T>
T* Tensor::mutable_data(TargetType) const {
  return static_cast<T*>(impl_->MutableData(Wanted<T>::kPointer));
}

template <typename T>
const T* Tensor::data() const {
  return static_cast<const T*>(impl_->Data(Wanted<T>::kPointer));
}

template <typename T, TargetType type>
void Tensor::CopyFromCpu(const T* source) {
  impl_->RequireInput();
  T* to = mutable_data<T>();
  const auto count = static_cast<size_t>(impl_->meta().dims.production());
  if (count) std::memcpy(to, source, count * sizeof(T));
}

template <typename T>
void Tensor::CopyToCpu(T* target) const {
  const T* from = data<T>();
  const auto count = static_cast<size_t>(impl_->meta().dims.production());
  if (count) std::memcpy(target, from, count * sizeof(T));
}

#define LITE_TENSOR_TYPE(T)                                                   \
  template LITE_API T* Tensor::mutable_data<T>(TargetType) const;             \
  template LITE_API const T* Tensor::data<T>() const;                         \
  template LITE_API void Tensor::CopyFromCpu<T, TargetType::kHost>(const T*); \
  template LITE_API void Tensor::CopyFromCpu<T, TargetType::kARM>(const T*);  \
  template LITE_API void Tensor::CopyFromCpu<T, TargetType::kX86>(const T*);  \
  template LITE_API void Tensor::CopyFromCpu<T, TargetType::kCUDA>(const T*); \
  template LITE_API void Tensor::CopyToCpu<T>(T*) const;

LITE_TENSOR_TYPE(float)
LITE_TENSOR_TYPE(double)
LITE_TENSOR_TYPE(int8_t)
LITE_TENSOR_TYPE(uint8_t)
LITE_TENSOR_TYPE(int16_t)
LITE_TENSOR_TYPE(uint16_t)
LITE_TENSOR_TYPE(int32_t)
LITE_TENSOR_TYPE(int64_t)
LITE_TENSOR_TYPE(bool)

#undef LITE_TENSOR_TYPE

template LITE_API void* Tensor::mutable_data<void>(TargetType) const;
template LITE_API const void* Tensor::data<void>() const;

}  // namespace paddle::lite_api
