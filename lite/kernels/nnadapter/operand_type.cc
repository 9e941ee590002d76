#include "lite/kernels/nnadapter/operand_type.h"

#include <limits>

#include "lite/core/base/errors.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

struct PrecisionPair {
  DataType dtype;
  NNAdapterOperandPrecisionCode code;
};
constexpr PrecisionPair kPrecisions[] = {
    {DataType::kBool, NNADAPTER_BOOL8},
    {DataType::kInt8, NNADAPTER_INT8},
    {DataType::kUInt8, NNADAPTER_UINT8},
    {DataType::kInt16, NNADAPTER_INT16},
    {DataType::kInt32, NNADAPTER_INT32},
    {DataType::kInt64, NNADAPTER_INT64},
    {DataType::kFP16, NNADAPTER_FLOAT16},
    {DataType::kFP32, NNADAPTER_FLOAT32},
    {DataType::kFP64, NNADAPTER_FLOAT64},
    {DataType::kInt8, NNADAPTER_QUANT_INT8_SYMM_PER_LAYER},
    {DataType::kInt8, NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL},
    {DataType::kUInt8, NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER},
    {DataType::kInt16, NNADAPTER_QUANT_INT16_SYMM_PER_LAYER},
    {DataType::kInt16, NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL},
    {DataType::kInt32, NNADAPTER_QUANT_INT32_SYMM_PER_LAYER},
    {DataType::kInt32, NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL}};

}  // namespace

NNAdapterOperandPrecisionCode PrecisionOf(DataType dtype) {
  for (const PrecisionPair& pair : kPrecisions)
    if (pair.dtype == dtype) return pair.code;
  throw DeviceError(StrCat("NNAdapter has no operands of ", Name(dtype)));
}

DataType DataTypeOfPrecision(NNAdapterOperandPrecisionCode precision) {
  for (const PrecisionPair& pair : kPrecisions)
    if (pair.code == precision) return pair.dtype;
  throw DeviceError(StrCat("operands of precision ", static_cast<int>(precision),
                           " have no element type of Paddle"));
}

NNAdapterOperandType OperandTypeOf(const DDim& dims, DataType dtype, float scale) {
  NNAdapterOperandType type{};
  type.precision = PrecisionOf(dtype);
  type.layout = NNADAPTER_NCHW;
  if (scale > 0 && (dtype == DataType::kInt8 || dtype == DataType::kInt32)) {
    type.precision = dtype == DataType::kInt8 ? NNADAPTER_QUANT_INT8_SYMM_PER_LAYER
                                              : NNADAPTER_QUANT_INT32_SYMM_PER_LAYER;
    type.symm_per_layer_params.scale = scale;
  }
  if (dims.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    throw DeviceError(StrCat("a tensor has shape ", dims, "; NNAdapter's have at most ",
                             NNADAPTER_MAX_SIZE_OF_DIMENSIONS, " dimensions"));
  type.dimensions.count = static_cast<uint32_t>(dims.size());
  for (int i = 0; i < dims.size(); ++i) {
    if (dims[i] > std::numeric_limits<int32_t>::max())
      throw DeviceError(StrCat("a tensor has shape ", dims, ", beyond NNAdapter's 32 bits"));
    type.dimensions.data[i] = dims[i] < 0 ? NNADAPTER_UNKNOWN : static_cast<int32_t>(dims[i]);
  }
  return type;
}

NNAdapterOperandType ListType(NNAdapterOperandPrecisionCode precision, size_t count) {
  NNAdapterOperandType type{};
  type.precision = precision;
  type.layout = NNADAPTER_NCHW;
  type.dimensions.count = 1;
  type.dimensions.data[0] = static_cast<int32_t>(count);
  return type;
}

}  // namespace paddle::lite::nnadapter_bridge
