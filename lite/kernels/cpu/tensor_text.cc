#include "lite/kernels/cpu/tensor_text.h"

#include <algorithm>

namespace paddle::lite {
namespace {

template <typename T>
std::string Elements(const T* data, int64_t total, int64_t shown) {
  std::ostringstream text;
  text << '[';
  for (int64_t i = 0; i < shown; ++i) text << (i == 0 ? "" : ", ") << +data[i];
  text << (shown == total ? "]" : shown == 0 ? "...]" : ", ...]");
  return text.str();
}

}  // namespace

std::string ElementsText(const Tensor& tensor, int64_t most) {
  const int64_t total = tensor.numel();
  const int64_t shown = most < 0 ? total : std::min(most, total);
  switch (tensor.dtype()) {
    case DataType::kFP32:
      return Elements(tensor.data<float>(), total, shown);
    case DataType::kFP64:
      return Elements(tensor.data<double>(), total, shown);
    case DataType::kInt64:
      return Elements(tensor.data<int64_t>(), total, shown);
    case DataType::kInt32:
      return Elements(tensor.data<int32_t>(), total, shown);
    case DataType::kInt16:
      return Elements(tensor.data<int16_t>(), total, shown);
    case DataType::kInt8:
      return Elements(tensor.data<int8_t>(), total, shown);
    case DataType::kUInt8:
      return Elements(tensor.data<uint8_t>(), total, shown);
    case DataType::kBool:
      return Elements(tensor.data<bool>(), total, shown);
    case DataType::kComplex64:
      return Elements(tensor.data<std::complex<float>>(), total, shown);
    case DataType::kComplex128:
      return Elements(tensor.data<std::complex<double>>(), total, shown);
    default:
      return StrCat(total, " elements");
  }
}

std::string TensorText(const Tensor& tensor, int64_t most) {
  return StrCat(Name(tensor.dtype()), " ", tensor.dims(), " ", ElementsText(tensor, most));
}

}  // namespace paddle::lite
