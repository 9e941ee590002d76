#include "lowering.h"

#include <algorithm>

#include "tim/vx/ops/reshape.h"

namespace timvx {
namespace {

using tim::vx::DataType;
using tim::vx::Quantization;
using tim::vx::QuantType;

tim::vx::Quantization QuantizationOf(const NNAdapterOperandType& type, int channels) {
  const std::vector<float> scales = hal::Scales(type);
  if (scales.empty()) return {};
  if (hal::IsSymmPerChannel(type.precision))
    return {QuantType::SYMMETRIC_PER_CHANNEL, channels, scales,
            std::vector<int32_t>(scales.size(), 0)};
  return {QuantType::ASYMMETRIC, scales[0], hal::ZeroPoint(type)};
}

DataType DataTypeOf(const NNAdapterOperandType& type) {
  switch (type.precision) {
    case NNADAPTER_FLOAT32:
      return DataType::FLOAT32;
    case NNADAPTER_INT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return DataType::INT32;
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return DataType::INT8;
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return DataType::UINT8;
    default:
      throw hal::NotSupported("the NPU has no " + hal::Describe(type));
  }
}

tim::vx::ShapeType RowShape(const core::Operand& operand, uint32_t columns) {
  const auto count = static_cast<uint32_t>(hal::ElementCount(operand.type));
  return {columns, count / std::max(columns, 1u)};
}

}  // namespace

tim::vx::ShapeType Reversed(const std::vector<int32_t>& dims) {
  tim::vx::ShapeType shape(dims.rbegin(), dims.rend());
  if (shape.empty()) shape.push_back(1);
  return shape;
}

tim::vx::TensorSpec SpecOf(const NNAdapterOperandType& type, tim::vx::TensorAttribute attribute) {
  const std::vector<int32_t> dims = hal::Dims(type);
  int channels = -1;
  if (hal::IsSymmPerChannel(type.precision))
    channels = static_cast<int>(dims.size()) - 1 -
               static_cast<int>(type.symm_per_channel_params.channel_dim);
  return {DataTypeOf(type), Reversed(dims), attribute, QuantizationOf(type, channels)};
}

void Lowering::Declare(const core::Operand& operand, tim::vx::TensorAttribute attribute) {
  tensors_[&operand] = graph_->CreateTensor(SpecOf(operand.type, attribute));
}

TensorPtr Lowering::operator[](const core::Operand& operand) {
  TensorPtr& tensor = tensors_[&operand];
  if (tensor != nullptr) return tensor;
  if (hal::IsConstant(operand))
    tensor = graph_->CreateTensor(SpecOf(operand.type, tim::vx::TensorAttribute::CONSTANT),
                                  operand.buffer);
  else
    tensor = graph_->CreateTensor(SpecOf(operand.type, tim::vx::TensorAttribute::TRANSIENT));
  return tensor;
}

TensorPtr Lowering::Constant(const core::Operand& operand, const tim::vx::ShapeType& shape,
                             int channels, const void* data) {
  tim::vx::TensorSpec spec(DataTypeOf(operand.type), shape, tim::vx::TensorAttribute::CONSTANT,
                           QuantizationOf(operand.type, channels));
  return graph_->CreateTensor(spec, data != nullptr ? data : operand.buffer);
}

TensorPtr Lowering::RowsFor(const core::Operand& operand, uint32_t columns) {
  const tim::vx::ShapeType shape = RowShape(operand, columns);
  if (Reversed(hal::Dims(operand.type)) == shape) return (*this)[operand];
  tim::vx::TensorSpec spec = SpecOf(operand.type, tim::vx::TensorAttribute::TRANSIENT);
  spec.SetShape(shape);
  return graph_->CreateTensor(spec);
}

void Lowering::Keep(const core::Operand& operand, const TensorPtr& rows) {
  const tim::vx::ShapeType shape = Reversed(hal::Dims(operand.type));
  if (rows->GetShape() != shape) Add<tim::vx::ops::Reshape>({rows}, {(*this)[operand]}, shape);
}

TensorPtr Lowering::Zeros(uint32_t count, const std::vector<float>& scales) {
  const std::vector<int32_t> zeros(count, 0);
  Quantization quantization(QuantType::ASYMMETRIC, scales[0], 0);
  if (scales.size() > 1)
    quantization = {QuantType::SYMMETRIC_PER_CHANNEL, 0, scales,
                    std::vector<int32_t>(scales.size(), 0)};
  tim::vx::TensorSpec spec(DataType::INT32, {count}, tim::vx::TensorAttribute::CONSTANT,
                           quantization);
  return graph_->CreateTensor(spec, zeros.data());
}

TensorPtr Lowering::WithRank(const core::Operand& operand, size_t rank) {
  tim::vx::ShapeType shape = Reversed(hal::Dims(operand.type));
  if (shape.size() >= rank) return (*this)[operand];
  shape.resize(rank, 1);
  return hal::IsConstant(operand) ? Constant(operand, shape, -1) : Reshaped(operand, shape);
}

TensorPtr Lowering::Rows(const core::Operand& operand, uint32_t columns) {
  const tim::vx::ShapeType shape = RowShape(operand, columns);
  return Reversed(hal::Dims(operand.type)) == shape ? (*this)[operand] : Reshaped(operand, shape);
}

TensorPtr Lowering::Reshaped(const core::Operand& operand, const tim::vx::ShapeType& shape) {
  tim::vx::TensorSpec spec = SpecOf(operand.type, tim::vx::TensorAttribute::TRANSIENT);
  spec.SetShape(shape);
  const TensorPtr result = graph_->CreateTensor(spec);
  Add<tim::vx::ops::Reshape>({(*this)[operand]}, {result}, shape);
  return result;
}

}  // namespace timvx
