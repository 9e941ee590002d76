#include "lite/kernels/control_flow/list.h"

#include "lite/core/errors.h"

namespace paddle::lite {

const TensorList& ListInput(const KernelContext& c, std::string_view slot) {
  const Tensor& input = c.Input(slot);
  if (input.list() == nullptr)
    throw DataTypeError(StrCat("input ", slot, " is a tensor, expected a list of tensors"));
  return *input.list();
}

const Tensor& TensorInput(const KernelContext& c, std::string_view slot, size_t index) {
  const Tensor& input = c.Input(slot, index);
  if (input.list() != nullptr)
    throw DataTypeError(StrCat("input ", slot, " is a list of tensors, expected a tensor"));
  if (!input.has_value())
    throw LiteError(StrCat("input ", slot, " has no value: no branch that writes it was taken"));
  return input;
}

int64_t IndexInput(const KernelContext& c, std::string_view slot) {
  const Tensor& input = TensorInput(c, slot);
  if (input.numel() != 1)
    throw ShapeError(StrCat("input ", slot, " has shape ", input.dims(), ", expected one element"));
  switch (input.dtype()) {
    case DataType::kBool:
    case DataType::kUInt8:
      return *static_cast<const uint8_t*>(input.raw_data());
    case DataType::kInt32:
      return *input.data<int32_t>();
    case DataType::kInt64:
      return *input.data<int64_t>();
    default:
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(input.dtype()), ", expected int32 or int64"));
  }
}

}  // namespace paddle::lite
