#include "lite/kernels/control_flow/list.h"

#include "lite/core/base/errors.h"
#include "lite/core/plan/execute.h"

namespace paddle::lite {

const TensorList& ListInput(const KernelContext& c, std::string_view slot) {
  const Tensor& input = c.Input(slot);
  if (input.list() == nullptr)
    throw DataTypeError(StrCat("input ", slot, " is a tensor, expected a list of tensors"));
  return *input.list();
}

const Tensor& TensorInput(const KernelContext& c, std::string_view slot, size_t index) {
  const Tensor& input = c.Input(slot, index);
  CheckIsTensor(input, c.op(), static_cast<size_t>(c.op().info().FindInput(slot)));
  return input;
}

int64_t IndexInput(const KernelContext& c, std::string_view slot) {
  return OneInteger(TensorInput(c, slot), StrCat("input ", slot));
}

int64_t OneInteger(const Tensor& tensor, const std::string& what) {
  if (tensor.numel() != 1)
    throw ShapeError(StrCat(what, " has shape ", tensor.dims(), ", expected one element"));
  switch (tensor.dtype()) {
    case DataType::kBool:
    case DataType::kInt8:
    case DataType::kUInt8:
      return *static_cast<const uint8_t*>(tensor.raw_data());
    case DataType::kInt32:
      return *tensor.data<int32_t>();
    case DataType::kInt64:
      return *tensor.data<int64_t>();
    default:
      throw DataTypeError(
          StrCat(what, " is ", Name(tensor.dtype()), ", expected bool, int32 or int64"));
  }
}

}  // namespace paddle::lite
