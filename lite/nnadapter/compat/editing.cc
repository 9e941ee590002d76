#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/graph.h"
#include "nnadapter/hal/shape.h"

namespace nnadapter {
namespace {

template <typename T, typename Element>
void Erase(std::list<T>* list, const Element* element) {
  const auto found =
      std::find_if(list->begin(), list->end(), [&](const T& one) { return &one == element; });
  if (found != list->end()) list->erase(found);
}

// With `copy` false the model refers to the caller's elements.
core::Operand* AddConstant(core::Model* model, NNAdapterOperandPrecisionCode precision,
                           const void* elements, const std::vector<int32_t>& dimensions,
                           bool copy = true) {
  core::Operand* operand = AddOperand(model);
  operand->type = hal::Graph::Type(precision, dimensions);
  operand->type.lifetime = copy ? NNADAPTER_CONSTANT_COPY : NNADAPTER_CONSTANT_REFERENCE;
  operand->length = static_cast<uint32_t>(GetOperandTypeBufferLength(operand->type));
  operand->buffer = const_cast<void*>(elements);
  if (!copy) return operand;
  operand->buffer = std::malloc(std::max<size_t>(operand->length, 1));
  if (!operand->buffer) throw std::bad_alloc();
  if (operand->length) std::memcpy(operand->buffer, elements, operand->length);
  return operand;
}

std::vector<int32_t> OneAxis(size_t count) { return {static_cast<int32_t>(count)}; }

bool Replace(std::vector<core::Operand*>* operands, core::Operand* from, core::Operand* to) {
  bool found = false;
  for (core::Operand*& operand : *operands) {
    if (operand != from) continue;
    operand = to;
    found = true;
  }
  return found;
}

int Position(const std::vector<core::Operand*>& operands, const core::Operand* operand) {
  const auto found = std::find(operands.begin(), operands.end(), operand);
  return found == operands.end() ? -1 : static_cast<int>(found - operands.begin());
}

// Calls apply(numbers) for a type's dimensions and for each of its candidates.
template <typename Apply>
void ForEachShape(NNAdapterOperandDimensionType* dimensions, Apply apply) {
  apply(dimensions->data);
  for (uint32_t i = 0; i < dimensions->dynamic_count; ++i) apply(dimensions->dynamic_data[i]);
}

void Transpose(NNAdapterOperandDimensionType* dimensions, const std::vector<int32_t>& permutation) {
  if (permutation.size() != dimensions->count)
    throw hal::InvalidParameter(hal::Text("a permutation of ", permutation.size(), " axes for ",
                                          dimensions->count, " dimensions"));
  ForEachShape(dimensions, [&](int32_t* data) { TransposeDimensions(data, permutation); });
}

// An operand that the model computes, of another's type; scales are its own.
core::Operand* AddLike(core::Model* model, const core::Operand* like) {
  core::Operand* operand = AddOperand(model);
  CopyOperandType(&operand->type, like->type);
  operand->type.lifetime = NNADAPTER_TEMPORARY_VARIABLE;
  return operand;
}

void Connect(core::Model* model, NNAdapterOperationType type, std::vector<core::Operand*> inputs,
             core::Operand* output) {
  core::Operation* operation = AddOperation(model);
  operation->type = type;
  operation->input_operands = std::move(inputs);
  operation->output_operands = {output};
}

// `shape` with 0 (the input's extent) and -1 (what is left) resolved against `from`.
std::vector<int32_t> Resolved(const std::vector<int32_t>& from, std::vector<int32_t> shape) {
  const bool known = std::none_of(from.begin(), from.end(), [](int32_t d) { return d < 0; });
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0 && i < from.size()) shape[i] = from[i];
  }
  const auto rest = std::find(shape.begin(), shape.end(), -1);
  if (rest == shape.end()) return shape;
  *rest = 1;
  const bool all =
      known && std::none_of(shape.begin(), shape.end(), [](int32_t d) { return d < 0; });
  const int64_t others = all ? hal::ElementCount(shape) : 0;
  *rest = others ? static_cast<int32_t>(hal::ElementCount(from) / others) : NNADAPTER_UNKNOWN;
  return shape;
}

void Reshape(NNAdapterOperandDimensionType* dimensions, const std::vector<int32_t>& shape) {
  const uint32_t count = dimensions->count;
  if (shape.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    throw hal::InvalidParameter(hal::Text("a shape of ", shape.size(), " dimensions"));
  ForEachShape(dimensions, [&](int32_t* data) {
    const std::vector<int32_t> to = Resolved({data, data + count}, shape);
    std::copy(to.begin(), to.end(), data);
  });
  dimensions->count = static_cast<uint32_t>(shape.size());
}

// The shape that brings anything to `dimensions`, of which one may be unknown.
std::vector<int32_t> ShapeFor(const NNAdapterOperandDimensionType& dimensions) {
  std::vector<int32_t> shape(dimensions.data, dimensions.data + dimensions.count);
  std::replace(shape.begin(), shape.end(), static_cast<int32_t>(NNADAPTER_UNKNOWN), -1);
  if (std::count(shape.begin(), shape.end(), -1) > 1)
    throw hal::NotSupported("a reshape to " + hal::DimsText(shape));
  return shape;
}

// One zero of an operand's type.
core::Operand* AddZero(core::Model* model, const core::Operand* like) {
  NNAdapterOperandType type = like->type;
  if (hal::IsSymmPerChannel(type.precision))
    throw hal::NotSupported("adding zero to " + hal::Describe(type));
  std::vector<uint8_t> zero(GetOperandPrecisionDataLength(type.precision), 0);
  if (hal::IsAsymmPerLayer(type.precision))
    std::memcpy(zero.data(), &type.asymm_per_layer_params.zero_point, zero.size());
  core::Operand* operand = AddConstant(model, type.precision, zero.data(), {1});
  operand->type.asymm_per_layer_params = type.asymm_per_layer_params;  // the union's largest
  return operand;
}

void ConnectAdd(core::Model* model, core::Operand* input, core::Operand* output) {
  core::Operand* zero = AddZero(model, input);
  Connect(model, NNADAPTER_ADD, {input, zero, AddInt32ConstantOperand(model, 0)}, output);
}

void SetQuantParams(NNAdapterOperandType* type, const void* params) {
  if (hal::IsSymmPerLayer(type->precision))
    std::memcpy(&type->symm_per_layer_params, params, sizeof(type->symm_per_layer_params));
  else if (hal::IsAsymmPerLayer(type->precision))
    std::memcpy(&type->asymm_per_layer_params, params, sizeof(type->asymm_per_layer_params));
  else
    throw hal::NotSupported("other quantisation of " + hal::Describe(*type));
}

}  // namespace

core::Operand* AddOperand(core::Model* model) {
  model->operands.emplace_back();
  return &model->operands.back();
}

core::Operation* AddOperation(core::Model* model) {
  model->operations.emplace_back();
  return &model->operations.back();
}

void RemoveOperand(core::Model* model, core::Operand* operand) {
  hal::ClearOperand(operand);
  Erase(&model->operands, operand);
}

void RemoveOperation(core::Model* model, core::Operation* operation) {
  Erase(&model->operations, operation);
}

void ClearModel(core::Model* model) {
  for (core::Operand& operand : model->operands) hal::ClearOperand(&operand);
  *model = {};
}

core::Operand* AddBool8ConstantOperand(core::Model* model, bool value) {
  return AddConstant(model, NNADAPTER_BOOL8, &value, {1});
}
core::Operand* AddInt32ConstantOperand(core::Model* model, int32_t value) {
  return AddConstant(model, NNADAPTER_INT32, &value, {1});
}
core::Operand* AddInt32ConstantOperand(core::Model* model, std::vector<int32_t> values) {
  return AddConstant(model, NNADAPTER_INT32, values.data(), OneAxis(values.size()));
}
core::Operand* AddInt32ConstantOperand(core::Model* model, int32_t* values,
                                       const std::vector<int32_t>& dimensions, bool copy) {
  return AddConstant(model, NNADAPTER_INT32, values, dimensions, copy);
}
core::Operand* AddFloat32ConstantOperand(core::Model* model, float value) {
  return AddConstant(model, NNADAPTER_FLOAT32, &value, {1});
}
core::Operand* AddFloat32ConstantOperand(core::Model* model, std::vector<float> values) {
  return AddConstant(model, NNADAPTER_FLOAT32, values.data(), OneAxis(values.size()));
}
core::Operand* AddFloat32ConstantOperand(core::Model* model, float* values,
                                         const std::vector<int32_t>& dimensions, bool copy) {
  return AddConstant(model, NNADAPTER_FLOAT32, values, dimensions, copy);
}

void TransposeOperand(core::Operand* operand, std::vector<int32_t> permutation) {
  const std::vector<int32_t> from = hal::Dims(operand->type);
  Transpose(&operand->type.dimensions, permutation);
  if (!IsConstantOperand(operand)) return;
  std::vector<int64_t> strides(from.size()), moved(from.size());
  int64_t stride = 1;
  for (size_t axis = from.size(); axis-- > 0; stride *= from[axis]) strides[axis] = stride;
  for (size_t axis = 0; axis < from.size(); ++axis) moved[axis] = strides[permutation[axis]];
  auto* data = static_cast<char*>(std::malloc(std::max<size_t>(operand->length, 1)));
  if (!data) throw std::bad_alloc();
  const size_t size = hal::PrecisionSize(operand->type.precision);
  const char* old = static_cast<const char*>(operand->buffer);
  hal::ForEachElement(hal::Dims(operand->type), moved, moved, [&](int64_t i, int64_t at, int64_t) {
    std::memcpy(data + i * size, old + at * size, size);
  });
  if (operand->type.lifetime == NNADAPTER_CONSTANT_COPY) std::free(operand->buffer);
  operand->buffer = data;
  operand->type.lifetime = NNADAPTER_CONSTANT_COPY;
}

bool UpdateOperationInputOperands(std::vector<core::Operation*> operations, core::Operand* from,
                                  core::Operand* to) {
  bool found = false;
  for (core::Operation* operation : operations)
    found = Replace(&operation->input_operands, from, to) || found;
  return found;
}

bool UpdateOperationOutputOperands(core::Operation* operation, core::Operand* from,
                                   core::Operand* to) {
  return Replace(&operation->output_operands, from, to);
}

bool UpdateModelInputOperands(core::Model* model, core::Operand* from, core::Operand* to) {
  if (!Replace(&model->input_operands, from, to)) return false;
  std::swap(from->type.lifetime, to->type.lifetime);
  return true;
}

bool UpdateModelOutputOperands(core::Model* model, core::Operand* from, core::Operand* to) {
  if (!Replace(&model->output_operands, from, to)) return false;
  std::swap(from->type.lifetime, to->type.lifetime);
  return true;
}

std::vector<core::Operation*> GetOperandConsumers(core::Model* model, core::Operand* operand) {
  std::vector<core::Operation*> consumers;
  if (!operand) return consumers;
  for (core::Operation& operation : model->operations) {
    if (Position(operation.input_operands, operand) >= 0) consumers.push_back(&operation);
  }
  return consumers;
}

core::Operation* GetOperandProducer(core::Model* model, core::Operand* operand) {
  for (core::Operation& operation : model->operations) {
    if (operand && Position(operation.output_operands, operand) >= 0) return &operation;
  }
  return nullptr;
}

int GetModelInputOperandIndex(core::Model* model, core::Operand* operand) {
  return Position(model->input_operands, operand);
}
int GetModelOutputOperandIndex(core::Model* model, core::Operand* operand) {
  return Position(model->output_operands, operand);
}

core::Operand* AppendTransposeOperation(core::Model* model, core::Operand* input,
                                        std::vector<int32_t> permutation) {
  core::Operand* output = AddLike(model, input);
  Transpose(&output->type.dimensions, permutation);
  Connect(model, NNADAPTER_TRANSPOSE, {input, AddInt32ConstantOperand(model, permutation)}, output);
  return output;
}

core::Operand* InsertTransposeOperation(core::Model* model, core::Operand* output,
                                        std::vector<int32_t> permutation) {
  core::Operand* input = AddLike(model, output);
  Transpose(&input->type.dimensions, InversePermutation(permutation));
  Connect(model, NNADAPTER_TRANSPOSE, {input, AddInt32ConstantOperand(model, permutation)}, output);
  return input;
}

core::Operand* AppendReshapeOperation(core::Model* model, core::Operand* input,
                                      std::vector<int32_t> shape) {
  core::Operand* output = AddLike(model, input);
  Reshape(&output->type.dimensions, shape);
  Connect(model, NNADAPTER_RESHAPE, {input, AddInt32ConstantOperand(model, shape)}, output);
  return output;
}

core::Operand* InsertReshapeOperation(core::Model* model, core::Operand* output,
                                      const NNAdapterOperandDimensionType& input_dimensions,
                                      std::vector<int32_t> shape) {
  core::Operand* input = AddLike(model, output);
  input->type.dimensions = input_dimensions;
  if (shape.empty()) shape = ShapeFor(output->type.dimensions);
  Connect(model, NNADAPTER_RESHAPE, {input, AddInt32ConstantOperand(model, shape)}, output);
  return input;
}

core::Operand* AppendUnaryOperation(core::Model* model, core::Operand* input,
                                    NNAdapterOperationType type) {
  core::Operand* output = AddLike(model, input);
  Connect(model, type, {input}, output);
  return output;
}

core::Operand* InsertUnaryOperation(core::Model* model, core::Operand* output,
                                    NNAdapterOperationType type) {
  core::Operand* input = AddLike(model, output);
  Connect(model, type, {input}, output);
  return input;
}

core::Operand* AppendDummyAddOperation(core::Model* model, core::Operand* input) {
  core::Operand* output = AddLike(model, input);
  ConnectAdd(model, input, output);
  return output;
}

core::Operand* InsertDummyAddOperation(core::Model* model, core::Operand* output) {
  core::Operand* input = AddLike(model, output);
  ConnectAdd(model, input, output);
  return input;
}

core::Operand* AppendRequantOperation(core::Model* model, core::Operand* input,
                                      void* quant_params) {
  core::Operand* output = AppendDummyAddOperation(model, input);
  SetQuantParams(&output->type, quant_params);
  return output;
}

core::Operand* InsertRequantOperation(core::Model* model, core::Operand* output,
                                      void* quant_params) {
  core::Operand* input = AddLike(model, output);
  SetQuantParams(&input->type, quant_params);
  ConnectAdd(model, input, output);
  return input;
}

}  // namespace nnadapter
