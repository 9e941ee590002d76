#include "lite/nnadapter/nnapi/translate.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "lite/nnadapter/nnapi/stored.h"
#include "lite/nnadapter/nnapi/table.h"
#include "nnadapter/extensions.h"

namespace nnadapter::nnapi {
namespace {

std::map<int32_t, Converter>& Converters() {
  static std::map<int32_t, Converter> converters;
  return converters;
}

// Whether two quantised tensors, or two that are not, store the same numbers in the same way.
bool SameStorage(const Tensor& a, const Tensor& b) {
  if (a.precision != b.precision) return false;
  if (!a.quantised()) return true;
  return a.scale == b.scale && a.zero_point == b.zero_point && a.channel_scales == b.channel_scales;
}

NNAdapterOperandPrecisionCode RealPrecision(const Tensor& tensor) {
  return tensor.quantised() ? NNADAPTER_FLOAT32 : tensor.precision;
}

// How many of an operation's inputs cannot be left out; of lists all of one type none can.
size_t RequiredInputs(int32_t code) {
  size_t required = SIZE_MAX;
  for (const Signature& signature : FindOperation(code)->signatures) {
    bool list = false;
    for (const Word& word : signature.inputs) list = list || (word.repeated && word.variable > 0);
    if (!list) required = std::min(required, signature.required);
  }
  return required;
}

}  // namespace

void Require(int code) {
  if (code == NNADAPTER_NO_ERROR) return;
  Fail(code == NNADAPTER_OUT_OF_MEMORY ? ANEURALNETWORKS_OUT_OF_MEMORY : ANEURALNETWORKS_OP_FAILED,
       NNAdapter_getLastErrorMessage());
}

ConverterRegistration::ConverterRegistration(int32_t code, Converter converter) {
  Converters()[code] = converter;
}

Converter FindConverter(int32_t code) {
  const auto found = Converters().find(code);
  return found == Converters().end() ? nullptr : found->second;
}

size_t Tensor::count() const {
  size_t count = 1;
  for (int32_t extent : dims) count *= static_cast<size_t>(extent);
  return count;
}

Translated::~Translated() {
  if (model) NNAdapterModel_destroy(model);
}

Translated::Translated(Translated&& other) noexcept
    : model(std::exchange(other.model, nullptr)),
      inputs(std::move(other.inputs)),
      outputs(std::move(other.outputs)),
      operations(other.operations),
      constants(std::move(other.constants)) {}

Translation::Translation(const Model& model, const std::vector<InputShape>& inputs)
    : model_(model), inputs_(inputs) {
  Require(NNAdapterModel_create(&target_));
  for (const InputShape& input : inputs_) slots_[input.operand].outside = &input;
}

Translation::~Translation() {
  if (target_) NNAdapterModel_destroy(target_);
}

void Translation::Convert(const Operation& operation) {
  operation_ = &operation;
  const Converter converter = FindConverter(operation.code);
  if (!converter) Refuse("NNAdapter has no counterpart of it");
  const size_t required = RequiredInputs(operation.code);
  for (size_t i = 0; i < inputs() && i < required; ++i)
    if (!Has(i)) Refuse(Text("its input ", i, " is left out"));
  try {
    converter(*this);
  } catch (const std::logic_error& error) {
    Refuse(error.what());
  }
}

// -- Operations.

NNAdapterOperand* Translation::AddOperand(const Tensor& tensor, bool known_shape, bool inferred) {
  NNAdapterOperandType type{};
  const int32_t unknown = NNADAPTER_UNKNOWN;
  type.precision = tensor.precision;
  if (inferred) std::memcpy(&type.precision, &unknown, sizeof(unknown));
  type.layout = NNADAPTER_NCHW;
  type.lifetime = NNADAPTER_TEMPORARY_VARIABLE;
  if (known_shape) {
    if (tensor.dims.size() > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
      Refuse(Text("a tensor has ", tensor.dims.size(), " dimensions, at most ",
                  NNADAPTER_MAX_SIZE_OF_DIMENSIONS, " are possible"));
    type.dimensions.count = static_cast<uint32_t>(tensor.dims.size());
    std::copy(tensor.dims.begin(), tensor.dims.end(), type.dimensions.data);
  }
  if (!inferred && tensor.quantised()) {
    if (!tensor.channel_scales.empty()) {
      type.symm_per_channel_params = {tensor.channel_dim,
                                      static_cast<uint32_t>(tensor.channel_scales.size()),
                                      tensor.channel_scales.data()};
    } else {
      // Of a symmetric type the zero point is not read.
      type.asymm_per_layer_params = {tensor.scale, tensor.zero_point};
    }
  }
  NNAdapterOperand* operand = nullptr;
  if (NNAdapterModel_addOperand(target_, &type, &operand) != NNADAPTER_NO_ERROR)
    Refuse(NNAdapter_getLastErrorMessage());
  return operand;
}

NNAdapterOperand* Translation::Handle(Value v) {
  if (!v) return nullptr;
  if (v->operand) return v->operand;
  NNAdapterOperand* operand = AddOperand(*v, true, false);
  // The deque's own; a Value is const for converters only.
  const_cast<Tensor*>(v.get())->operand = operand;
  const size_t bytes = v->constant() ? v->count() * PrecisionSize(v->precision) : 0;
  if (bytes > 0)
    Require(NNAdapterModel_shareOperandValue(operand, v->data, static_cast<uint32_t>(bytes)));
  return operand;
}

std::vector<Value> Translation::EmitTyped(NNAdapterOperationType type,
                                          const std::vector<Value>& inputs, const Tensor* like,
                                          size_t results) {
  std::vector<NNAdapterOperand*> from, to;
  for (Value v : inputs) from.push_back(Handle(v));
  for (size_t i = 0; i < results; ++i)
    to.push_back(AddOperand(like ? *like : Tensor(), false, like == nullptr));
  NNAdapterOperation* operation = nullptr;
  if (NNAdapterModel_addOperation(target_, type, static_cast<uint32_t>(from.size()), from.data(),
                                  static_cast<uint32_t>(to.size()), to.data(),
                                  &operation) != NNADAPTER_NO_ERROR)
    Refuse(NNAdapter_getLastErrorMessage());
  ++operations_;
  std::vector<Value> values;
  for (NNAdapterOperand* operand : to) {
    NNAdapterOperandType* given = nullptr;
    Require(NNAdapterModel_getOperandType(operand, &given));
    Tensor* tensor = NewTensor(TensorOf(*given));
    tensor->operand = operand;
    for (int32_t extent : tensor->dims)
      if (extent < 0) Refuse("the shape of its result is not known before it runs");
    values.push_back(tensor);
  }
  return values;
}

Value Translation::Emit(NNAdapterOperationType type, const std::vector<Value>& inputs) {
  return EmitTyped(type, inputs, nullptr, 1)[0];
}

std::vector<Value> Translation::EmitMany(NNAdapterOperationType type,
                                         const std::vector<Value>& inputs, size_t results) {
  return EmitTyped(type, inputs, nullptr, results);
}

Value Translation::EmitAs(size_t o, NNAdapterOperationType type, const std::vector<Value>& inputs) {
  return EmitLike(Stored(OutputType(o)), type, inputs);
}

Value Translation::EmitLike(const Tensor& like, NNAdapterOperationType type,
                            const std::vector<Value>& inputs) {
  return EmitTyped(type, inputs, &like, 1)[0];
}

Value Translation::Transposed(Value v, const Shape& permutation) {
  Tensor like = *v;
  if (permutation.size() != v->dims.size()) Refuse("its input has another rank than its axes");
  for (size_t i = 0; i < permutation.size(); ++i) {
    like.dims[i] = v->dims.at(static_cast<size_t>(permutation[i]));
    if (permutation[i] == static_cast<int32_t>(v->channel_dim))
      like.channel_dim = static_cast<uint32_t>(i);
  }
  if (std::is_sorted(permutation.begin(), permutation.end())) return v;
  if (v->constant()) {
    const std::vector<uint8_t> moved = TransposedBytes(*v, permutation);
    return Constant(like, moved.data());
  }
  return EmitLike(like, NNADAPTER_TRANSPOSE, {v, Int32s(permutation)});
}

Value Translation::Reshaped(Value v, const Shape& dims) {
  if (dims == v->dims) return v;
  Tensor like = *v;
  like.dims = dims;
  if (like.count() != v->count()) Refuse("its shapes do not have as many elements");
  if (!v->constant()) return EmitLike(like, NNADAPTER_RESHAPE, {v, Int32s(dims)});
  Tensor* tensor = NewTensor(like);
  tensor->data = v->data;
  return tensor;
}

// -- Results.

Value Translation::StoredAs(Value v, const Tensor& like) {
  if (SameStorage(*v, like)) return v;
  const Value real = Real(v);
  if (!like.quantised()) return real;
  return EmitLike(like, NNADAPTER_QUANTIZE,
                  {real, nullptr, Float32(like.scale), Int32(like.zero_point)});
}

Value Translation::Requantised(size_t o, Value v) {
  const Tensor wanted = Stored(OutputType(o));
  if (RealPrecision(*v) != RealPrecision(wanted))
    Refuse(Text("output ", o, " is declared as ", OperandCodeName(OutputType(o).code),
                ", which it does not give"));
  return StoredAs(v, wanted);
}

void Translation::CheckShape(uint32_t operand, Value v, bool image) const {
  const OperandType& type = model_.operands()[operand].type;
  if (type.dims.empty()) return;
  Shape dims = v->dims;
  if (image && dims.size() == 4) dims = {dims[0], dims[2], dims[3], dims[1]};
  bool fits = dims.size() == type.dims.size();
  for (size_t i = 0; fits && i < dims.size(); ++i)
    fits = type.dims[i] == 0 || type.dims[i] == static_cast<uint32_t>(dims[i]);
  if (fits) return;
  OperandType computed = type;
  computed.dims.assign(dims.begin(), dims.end());
  Refuse(Text("operand ", operand, " is declared as ", TypeText(type), ", computed is ",
              TypeText(computed)));
}

void Translation::SetOutput(size_t o, Value v) {
  const uint32_t index = operation_->outputs.at(o);
  v = Requantised(o, v);
  CheckShape(index, v, false);
  SlotOf(index).plain = v;
}

void Translation::SetImage(size_t o, Value v, bool nchw) {
  if (nchw) return SetOutput(o, v);
  const uint32_t index = operation_->outputs.at(o);
  if (v->dims.size() != 4) Refuse("its result is no image of four dimensions");
  v = Requantised(o, v);
  CheckShape(index, v, true);
  SlotOf(index).image = v;
}

Translated Translation::Finish(const std::vector<uint32_t>& outputs) {
  Translated made;
  std::vector<NNAdapterOperand*> from, to;
  for (uint32_t index : outputs) {
    OutputSource source;
    source.type = model_.operands()[index].type;
    Value v = Plain(index);
    if (IsTensor(source.type.code)) source.type.dims.assign(v->dims.begin(), v->dims.end());
    if (v->constant()) {
      const auto* bytes = static_cast<const uint8_t*>(v->data);
      source.bytes.assign(bytes, bytes + v->count() * PrecisionSize(v->precision));
    } else {
      const bool outside = std::any_of(slots_.begin(), slots_.end(), [&](const auto& slot) {
        return slot.second.outside && slot.second.plain == v;
      });
      if (outside || std::find(to.begin(), to.end(), v->operand) != to.end())
        v = EmitLike(*v, NNADAPTER_ASSIGN, {v});
      source.index = static_cast<int>(to.size());
      to.push_back(Handle(v));
    }
    made.outputs.push_back(std::move(source));
  }
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Slot& slot = slots_[inputs_[i].operand];
    if (!slot.plain || slot.plain->constant() || !slot.plain->operand) continue;
    made.inputs.push_back(static_cast<uint32_t>(i));
    from.push_back(slot.plain->operand);
  }
  if (!to.empty()) {
    Require(NNAdapterModel_identifyInputsAndOutputs(target_, static_cast<uint32_t>(from.size()),
                                                    from.data(), static_cast<uint32_t>(to.size()),
                                                    to.data()));
    Require(NNAdapterModel_finish(target_));
    made.model = std::exchange(target_, nullptr);
  }
  made.operations = operations_;
  made.constants = std::move(constants_);
  return made;
}

}  // namespace nnadapter::nnapi
