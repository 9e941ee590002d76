#include "lite/kernels/nnadapter/conversion.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "lite/core/tensor.h"
#include "lite/kernels/nnadapter/model_builder_impl.h"
#include "lite/kernels/nnadapter/operand_type.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

const std::vector<std::string>* FindSlot(
    const std::map<std::string, std::vector<std::string>>& slots, const std::string& name) {
  const auto found = slots.find(name);
  return found == slots.end() || found->second.empty() ? nullptr : &found->second;
}

std::vector<float> ScalesOf(const OpDesc& op, const std::string& slot, size_t index) {
  const auto found = op.attrs.find(StrCat(slot, index, "_scale"));
  if (found == op.attrs.end()) return {};
  if (const float* scale = std::get_if<float>(&found->second)) return {*scale};
  const auto list = ConvertAttribute(found->second, Attribute(std::vector<float>()));
  return list ? std::get<std::vector<float>>(*list) : std::vector<float>();
}

void CheckScales(const std::vector<float>& scales, const std::string& name) {
  for (float scale : scales)
    if (!(scale > 0) || !std::isfinite(scale))
      throw NotOffloadable{
          StrCat("the quantisation scale ", scale, " of ", name, " is not a positive number")};
}

template <typename T>
std::vector<int64_t> Widen(const Tensor& tensor) {
  const T* data = tensor.data<T>();
  return std::vector<int64_t>(data, data + tensor.numel());
}

int32_t Narrow(int64_t value) {
  // Paddle writes "to the end" as large numbers.
  return static_cast<int32_t>(std::clamp<int64_t>(value, std::numeric_limits<int32_t>::min(),
                                                  std::numeric_limits<int32_t>::max()));
}

// Operations whose output has its input's scale, or is not quantised at all.
bool InfersQuantization(NNAdapterOperationType type) {
  static const std::set<NNAdapterOperationType> kOperations = {NNADAPTER_ASSIGN,
                                                               NNADAPTER_CHANNEL_SHUFFLE,
                                                               NNADAPTER_EXPAND,
                                                               NNADAPTER_FLATTEN,
                                                               NNADAPTER_GATHER,
                                                               NNADAPTER_MAX_POOL_2D,
                                                               NNADAPTER_RELU,
                                                               NNADAPTER_RESHAPE,
                                                               NNADAPTER_ROLL,
                                                               NNADAPTER_SLICE,
                                                               NNADAPTER_SPLIT,
                                                               NNADAPTER_SQUEEZE,
                                                               NNADAPTER_TILE,
                                                               NNADAPTER_TRANSPOSE,
                                                               NNADAPTER_UNSQUEEZE,
                                                               NNADAPTER_UNSTACK,
                                                               NNADAPTER_ARG_MAX,
                                                               NNADAPTER_ARG_MIN,
                                                               NNADAPTER_SHAPE,
                                                               NNADAPTER_DEQUANTIZE,
                                                               NNADAPTER_FILL_LIKE,
                                                               NNADAPTER_RESIZE_NEAREST,
                                                               NNADAPTER_ADAPTIVE_MAX_POOL_2D};
  return kOperations.count(type) > 0;
}

// A type that NNAdapter infers, but for the scale where it is positive.
NNAdapterOperandType InferredType(float scale) {
  NNAdapterOperandType type{};
  type.precision = static_cast<NNAdapterOperandPrecisionCode>(NNADAPTER_UNKNOWN);
  type.layout = NNADAPTER_NCHW;
  if (scale > 0) {
    type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_LAYER;
    type.symm_per_layer_params.scale = scale;
  }
  return type;
}

template <typename T>
Operand* ScalarOf(Conversion& c, NNAdapterOperandPrecisionCode precision, double value) {
  const T element = static_cast<T>(value);
  return c.Constant(ListType(precision, 1), &element, sizeof(element));
}

// The dimensions that RESHAPE or UNSQUEEZE gives; empty where they do not fit, which NNAdapter
// says.
std::vector<int64_t> ReshapedDims(NNAdapterOperationType type, const std::vector<int64_t>& from,
                                  const std::vector<int64_t>& numbers) {
  std::vector<int64_t> dims = type == NNADAPTER_RESHAPE ? numbers : from;
  if (type == NNADAPTER_UNSQUEEZE) {
    for (int64_t axis : numbers) {
      if (axis < 0 || axis > static_cast<int64_t>(dims.size())) return {};
      dims.insert(dims.begin() + axis, 1);
    }
    return dims.size() <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS ? dims : std::vector<int64_t>();
  }
  const int64_t count =
      std::accumulate(from.begin(), from.end(), int64_t{1}, std::multiplies<int64_t>());
  int64_t known = 1, *open = nullptr;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] == 0 && i < from.size()) dims[i] = from[i];
    if (dims[i] == -1 && open == nullptr)
      open = &dims[i];
    else if (dims[i] < 1 || __builtin_mul_overflow(known, dims[i], &known))
      return {};
  }
  if (open != nullptr) known *= * open = count / known;
  return known == count && dims.size() <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS ? dims
                                                                           : std::vector<int64_t>();
}

}  // namespace

Conversion::Conversion(ModelBuilder::Impl* model, const Rule& rule, const OpDesc& op)
    : model_(model), rule_(rule), op_(op) {
  BindInputs();
  BindAttributes();
}

Value Conversion::BindVariable(const RuleSlot& slot, size_t index, const std::string& variable) {
  Operand* operand = model_->Find(variable);
  if (operand == nullptr)
    throw DeviceError(StrCat(op_.type, " reads ", variable,
                             ", which is neither an input, a parameter nor computed in the model"));
  has_lod_ = has_lod_ || operand->has_lod;
  const NNAdapterOperandType& type = TypeOf(operand);
  if (operand->zero_dim && !slot.scalar)
    Refuse(StrCat(variable, " is a 0-dim tensor, which NNAdapter does not have"));
  const bool zero_dim = type.dimensions.count == 0;
  if (zero_dim && operand->parameter != nullptr && !slot.scalar)
    Refuse(StrCat(variable, " is a 0-dim tensor, which NNAdapter does not have"));
  // Of the numbers of a shape, rules leave out those that are fed.
  const bool number = slot.name == "ShapeTensor" && slot.scalar && operand->is_input;
  if (zero_dim && operand->parameter == nullptr && !number)
    Refuse(operand->is_input
               ? StrCat(variable, " is a 0-dim tensor, which NNAdapter does not have")
               : StrCat("the rank of ", variable, " is not known before the model runs"));
  for (uint32_t i = 0; i < type.dimensions.count; ++i)
    if (type.dimensions.data[i] == 0) Refuse(StrCat(variable, " has no elements"));
  std::vector<float> scales = ScalesOf(op_, slot.name, index);
  if (operand->parameter == nullptr || type.precision != NNADAPTER_INT8 || scales.empty())
    return Value(operand);
  CheckScales(scales, variable);
  // More devices know one scale than one for each channel.
  if (std::all_of(scales.begin(), scales.end(), [&](float scale) { return scale == scales[0]; }))
    scales.resize(1);
  if (scales.size() > 1) {
    if (slot.channel_axis < 0)
      Refuse(StrCat(slot.name, " has ", scales.size(), " scales; only one can be used"));
    const auto axis = static_cast<uint32_t>(slot.channel_axis);
    if (axis >= type.dimensions.count ||
        type.dimensions.data[axis] != static_cast<int32_t>(scales.size()))
      Refuse(StrCat(slot.name, " has ", scales.size(), " scales, not one for each channel"));
  }
  return Value(model_->QuantizedView(operand, scales, slot.channel_axis));
}

void Conversion::BindInputs() {
  for (const auto& [name, variables] : op_.inputs) {
    const bool declared = variables.empty() || std::any_of(rule_.inputs.begin(), rule_.inputs.end(),
                                                           [&name = name](const RuleSlot& slot) {
                                                             return slot.name == name;
                                                           });
    if (!declared) Refuse(StrCat("it has the input ", name, ", which NNAdapter cannot take"));
  }
  for (const RuleSlot& slot : rule_.inputs) {
    const std::vector<std::string>* variables = FindSlot(op_.inputs, slot.name);
    if (variables == nullptr && !slot.optional) Refuse(StrCat("it lacks its input ", slot.name));
    if (slot.repeated) {
      Values list;
      for (size_t i = 0; variables != nullptr && i < variables->size(); ++i)
        list.push_back(BindVariable(slot, i, (*variables)[i]));
      environment_[slot.name] = Value(std::move(list));
    } else if (variables == nullptr) {
      environment_[slot.name] = Value();
    } else {
      if (variables->size() > 1)
        Refuse(StrCat("it has ", variables->size(), " variables in its input ", slot.name));
      environment_[slot.name] = BindVariable(slot, 0, (*variables)[0]);
    }
  }
}

void Conversion::BindAttributes() {
  for (const RuleAttr& attr : rule_.attrs) {
    const auto found = op_.attrs.find(attr.name);
    if (found == op_.attrs.end()) {
      if (attr.required) Refuse(StrCat("it lacks its attribute ", attr.name));
      environment_[attr.name] = FromAttribute(attr.default_value);
      continue;
    }
    const auto converted = ConvertAttribute(found->second, attr.default_value);
    if (!converted)
      Refuse(StrCat("its attribute ", attr.name, " is ", AttributeTypeName(found->second),
                    ", expected ", AttributeTypeName(attr.default_value)));
    environment_[attr.name] = FromAttribute(*converted);
  }
}

const Value& Conversion::Get(std::string_view name) const {
  const auto found = environment_.find(name);
  if (found == environment_.end())
    throw ConfigError(StrCat("operator rules: ", rule_.op, " declares no ", std::string(name)));
  if (const Failed* failed = std::get_if<Failed>(&found->second.data)) Refuse(failed->reason);
  return found->second;
}

std::vector<Operand*> Conversion::Inputs(std::string_view slot) const {
  std::vector<Operand*> operands;
  for (const Value& value : AsList(Get(slot))) operands.push_back(AsOperand(value));
  return operands;
}

size_t Conversion::OutputCount(std::string_view slot) const {
  const auto* variables = FindSlot(op_.outputs, std::string(slot));
  return variables == nullptr ? 0 : variables->size();
}

const NNAdapterOperandType& Conversion::TypeOf(const Operand* operand) const {
  return model_->TypeOf(operand);
}

int Conversion::Rank(const Operand* operand) const {
  const auto count = static_cast<int>(TypeOf(operand).dimensions.count);
  if (count == 0 && operand->parameter != nullptr) return 1;  // used as a scalar
  if (count == 0) throw NeedsKnown{};
  return count;
}

std::vector<int64_t> Conversion::Dims(const Operand* operand) const {
  const int rank = Rank(operand);
  const NNAdapterOperandDimensionType& dims = TypeOf(operand).dimensions;
  if (dims.count == 0) return {1};
  return std::vector<int64_t>(dims.data, dims.data + rank);
}

bool Conversion::IsQuantized(const Operand* operand) const {
  const int precision = TypeOf(operand).precision;
  return precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER &&
         precision <= NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

bool Conversion::IsZeroDim(const Operand* operand) const {
  return operand->zero_dim ||
         (operand->parameter != nullptr && operand->type.dimensions.count == 0);
}

bool Conversion::IsConstant(const Operand* operand) const {
  return operand->parameter != nullptr || operand->has_values;
}

bool Conversion::IsShape(const Operand* operand) const {
  return IsConstant(operand) || TypeOf(operand).lifetime == NNADAPTER_TEMPORARY_SHAPE;
}

std::vector<int64_t> Conversion::ConstantInts(const Operand* operand) const {
  if (operand->has_values) return operand->values;
  const Tensor* tensor = operand->parameter;
  if (tensor == nullptr) Refuse(StrCat("the value of ", operand->name, " is not a constant"));
  if (tensor->dtype() == DataType::kInt32) return Widen<int32_t>(*tensor);
  if (tensor->dtype() == DataType::kInt64) return Widen<int64_t>(*tensor);
  Refuse(StrCat(operand->name, " holds ", Name(tensor->dtype()), " where integers are expected"));
}

std::vector<float> Conversion::ConstantFloats(const Operand* operand) const {
  const Tensor* tensor = operand->parameter;
  if (tensor == nullptr) Refuse(StrCat("the value of ", operand->name, " is not a constant"));
  if (tensor->dtype() != DataType::kFP32)
    Refuse(StrCat(operand->name, " holds ", Name(tensor->dtype()), " where float32 is expected"));
  const float* data = tensor->data<float>();
  return std::vector<float>(data, data + tensor->numel());
}

Operand* Conversion::Constant(NNAdapterOperandType type, const void* data, size_t bytes) {
  type.lifetime = NNADAPTER_CONSTANT_COPY;
  Operand* operand = model_->NewConstant(type, data, bytes);
  operand->name = "a constant";
  return operand;
}

Operand* Conversion::ReshapedConstant(const Operand* operand, const std::vector<int64_t>& dims) {
  const int precision = TypeOf(operand).precision;
  if (operand->parameter == nullptr || precision == NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL ||
      precision == NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL)
    return nullptr;
  return model_->ReshapedView(operand, dims);
}

Operand* Conversion::Int32(int64_t value) { return Int32s({value}); }

Operand* Conversion::Int32s(const std::vector<int64_t>& values) {
  if (values.empty()) return nullptr;
  std::vector<int32_t> narrow;
  for (int64_t value : values) narrow.push_back(Narrow(value));
  Operand* operand = Constant(ListType(NNADAPTER_INT32, narrow.size()), narrow.data(),
                              narrow.size() * sizeof(int32_t));
  operand->values.assign(narrow.begin(), narrow.end());
  operand->has_values = true;
  return operand;
}

Operand* Conversion::Int64s(const std::vector<int64_t>& values) {
  if (values.empty()) return nullptr;
  Operand* operand = Constant(ListType(NNADAPTER_INT64, values.size()), values.data(),
                              values.size() * sizeof(int64_t));
  operand->values = values;
  operand->has_values = true;
  return operand;
}

Operand* Conversion::Float32s(const std::vector<float>& values) {
  if (values.empty()) return nullptr;
  return Constant(ListType(NNADAPTER_FLOAT32, values.size()), values.data(),
                  values.size() * sizeof(float));
}

Operand* Conversion::Bool8(bool value) {
  const uint8_t byte = value ? 1 : 0;
  return Constant(ListType(NNADAPTER_BOOL8, 1), &byte, 1);
}

Operand* Conversion::Scalar(NNAdapterOperandPrecisionCode precision, double value) {
  if (precision == NNADAPTER_BOOL8) return Bool8(value != 0);
  if (precision == NNADAPTER_FLOAT32) return ScalarOf<float>(*this, precision, value);
  if (precision == NNADAPTER_FLOAT64) return ScalarOf<double>(*this, precision, value);
  const DataType dtype = DataTypeOfPrecision(precision);
  const double bits = static_cast<double>(8 * SizeOf(dtype));
  const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
  if (!(value > -limit - 1 && value < (dtype == DataType::kUInt8 ? 256.0 : limit)))
    Refuse(StrCat("the value ", value, " does not fit ", Name(dtype)));
  if (precision == NNADAPTER_INT32) return ScalarOf<int32_t>(*this, precision, value);
  if (precision == NNADAPTER_INT64) return ScalarOf<int64_t>(*this, precision, value);
  if (precision == NNADAPTER_INT16) return ScalarOf<int16_t>(*this, precision, value);
  if (precision == NNADAPTER_INT8) return ScalarOf<int8_t>(*this, precision, value);
  if (precision == NNADAPTER_UINT8 && value >= 0) return ScalarOf<uint8_t>(*this, precision, value);
  Refuse(StrCat("a value of ", Name(dtype), " cannot be a scalar of the model"));
}

bool Conversion::QuantizedOutput(const std::string& slot, size_t index, float* scale) const {
  const std::vector<float> scales = ScalesOf(op_, slot, index);
  if (scales.empty()) return false;
  CheckScales(scales, slot);
  if (scales.size() > 1) Refuse(StrCat("its output ", slot, " has ", scales.size(), " scales"));
  *scale = scales[0];
  return true;
}

std::vector<Operand*> Conversion::Emit(NNAdapterOperationType type,
                                       const std::vector<Operand*>& inputs, size_t outputs) {
  const auto named = std::exchange(next_outputs_, {});
  const bool reshapes = type == NNADAPTER_RESHAPE || type == NNADAPTER_UNSQUEEZE;
  if (reshapes && inputs.size() == 2 && inputs[0] != nullptr && inputs[1] != nullptr &&
      inputs[1]->has_values && inputs[0]->parameter != nullptr) {
    const auto dims = ReshapedDims(type, Dims(inputs[0]), inputs[1]->values);
    Operand* reshaped = dims.empty() ? nullptr : ReshapedConstant(inputs[0], dims);
    if (reshaped != nullptr) return {reshaped};
  }
  const bool quantized = std::any_of(inputs.begin(), inputs.end(), [this](const Operand* input) {
    return input != nullptr && IsQuantized(input);
  });
  std::vector<NNAdapterOperandType> types;
  for (size_t i = 0; i < outputs; ++i) {
    float scale = 0;
    const bool scaled =
        quantized && i < named.size() && QuantizedOutput(named[i].first, named[i].second, &scale);
    if (quantized && !scaled && !InfersQuantization(type))
      Refuse(named.empty() ? "it is quantised, and as several NNAdapter operations it would need "
                             "scales that it does not have"
                           : StrCat("it is quantised, but has no scale for ", named[i].first));
    types.push_back(InferredType(scale));
  }
  return EmitTyped(type, inputs, types);
}

// Whether the result of numbers that are 0-dim is one, too; numbers of attributes do not matter.
bool Conversion::KeepsZeroDim(NNAdapterOperationType type,
                              const std::vector<Operand*>& inputs) const {
  static const std::set<NNAdapterOperationType> kNumberwise = {
      NNADAPTER_ADD, NNADAPTER_SUB, NNADAPTER_MUL,       NNADAPTER_DIV,    NNADAPTER_MAX,
      NNADAPTER_MIN, NNADAPTER_POW, NNADAPTER_FLOOR_DIV, NNADAPTER_ASSIGN, NNADAPTER_CAST};
  if (kNumberwise.count(type) == 0) return false;
  bool computed = false;
  for (const Operand* input : inputs) {
    if (input->parameter == nullptr && TypeOf(input).lifetime == NNADAPTER_CONSTANT_COPY) continue;
    if (!IsZeroDim(input)) return false;
    computed = computed || input->zero_dim;
  }
  return computed;
}

std::vector<Operand*> Conversion::EmitTyped(NNAdapterOperationType type,
                                            const std::vector<Operand*>& inputs,
                                            const std::vector<NNAdapterOperandType>& outputs) {
  std::vector<Operand*> results;
  for (const NNAdapterOperandType& output : outputs) {
    results.push_back(model_->NewTemporary(output));
    results.back()->name = "an intermediate";
  }
  if (KeepsZeroDim(type, inputs)) results[0]->zero_dim = true;
  model_->AddOperation(type, inputs, results);
  return results;
}

void Conversion::EmitTo(const std::vector<std::string>& slots, NNAdapterOperationType type,
                        const std::vector<Operand*>& inputs) {
  std::vector<std::pair<std::string, size_t>> named;
  for (const std::string& slot : slots) named.emplace_back(slot, 0);
  NextOutputsAre(std::move(named));
  const std::vector<Operand*> results = Emit(type, inputs, slots.size());
  for (size_t i = 0; i < slots.size(); ++i) SetOutput(slots[i], results[i]);
}

void Conversion::SetOutput(std::string_view slot, Operand* operand, size_t index) {
  const auto* variables = FindSlot(op_.outputs, std::string(slot));
  if (variables == nullptr || index >= variables->size()) return;
  float scale = 0;
  const NNAdapterOperandType& type = TypeOf(operand);
  if (type.precision == NNADAPTER_QUANT_INT8_SYMM_PER_LAYER &&
      QuantizedOutput(std::string(slot), index, &scale) &&
      std::fabs(scale - type.symm_per_layer_params.scale) > 1e-6f * scale)
    Refuse("its input and its output have different scales");
  if (operand->parameter == nullptr && !operand->is_input) operand->name = (*variables)[index];
  operand->has_lod = operand->has_lod || has_lod_;
  model_->Define((*variables)[index], operand);
}

Operand* Conversion::IntListOperand(Operand* tensor, const std::vector<Operand*>& list,
                                    const std::vector<int64_t>& attribute) {
  if (!list.empty()) {
    if (std::all_of(list.begin(), list.end(), [this](Operand* o) { return IsConstant(o); })) {
      std::vector<int64_t> values;
      for (const Operand* operand : list) {
        const std::vector<int64_t> one = ConstantInts(operand);
        if (one.size() != 1) Refuse(StrCat(operand->name, " has ", one.size(), " elements, not 1"));
        values.push_back(one[0]);
      }
      return Int32s(values);
    }
    std::vector<Operand*> parts;
    for (Operand* operand : list) {
      if (Dims(operand) != std::vector<int64_t>{1})
        Refuse(StrCat(operand->name, " is not a tensor of shape [1]"));
      const int precision = TypeOf(operand).precision;
      if (precision != NNADAPTER_INT32 && precision != NNADAPTER_INT64)
        Refuse(StrCat(operand->name, " does not hold integers"));
      parts.push_back(precision == NNADAPTER_INT32
                          ? operand
                          : EmitOne(NNADAPTER_CAST, {operand, Int32(NNADAPTER_INT32)}));
    }
    if (parts.size() == 1) return parts[0];
    parts.push_back(Int32(0));
    return EmitOne(NNADAPTER_CONCAT, parts);
  }
  if (tensor != nullptr) return IsConstant(tensor) ? Int32s(ConstantInts(tensor)) : tensor;
  return Int32s(attribute);
}

}  // namespace paddle::lite::nnadapter_bridge
