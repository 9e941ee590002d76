#include "lite/nnadapter/driver/builtin_device/lowering.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lite/core/op_registry.h"
#include "lite/nnadapter/driver/builtin_device/quantize.h"
#include "lite/nnadapter/runtime/error.h"

namespace nnadapter::builtin_device {

using runtime::Error;

namespace {

// Kernels read their constants with vector instructions; what stands elsewhere is copied.
constexpr uintptr_t kAlignment = 64;

bool IsConstant(const core::Operand& operand) { return operand.buffer != nullptr; }

// Whether its real numbers are floating point ones.
bool IsFloat(const core::Operand& operand) {
  const int32_t precision = operand.type.precision;
  return runtime::IsQuantized(precision) ||
         (runtime::kFloats & runtime::PrecisionBit(precision)) != 0;
}

lite::DDim DimsOfType(const NNAdapterOperandType& type) {
  lite::DDim dims;
  for (uint32_t i = 0; i < type.dimensions.count; ++i) dims.push_back(type.dimensions.data[i]);
  return dims;
}

template <typename T>
lite::Tensor TensorOf(const std::vector<T>& values, const std::vector<int64_t>& dims) {
  lite::Tensor tensor;
  tensor.Allocate(lite::DDim(dims), lite::DataTypeOf<T>::value);
  std::memcpy(tensor.raw_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

}  // namespace

lite::DataType StorageType(int32_t precision) {
  switch (precision) {
    case NNADAPTER_BOOL8:
      return lite::DataType::kBool;
    case NNADAPTER_INT8:
    case NNADAPTER_QUANT_INT8_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL:
      return lite::DataType::kInt8;
    case NNADAPTER_UINT8:
    case NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER:
      return lite::DataType::kUInt8;
    case NNADAPTER_INT16:
    case NNADAPTER_QUANT_INT16_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL:
      return lite::DataType::kInt16;
    case NNADAPTER_INT32:
    case NNADAPTER_QUANT_INT32_SYMM_PER_LAYER:
    case NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL:
      return lite::DataType::kInt32;
    case NNADAPTER_INT64:
      return lite::DataType::kInt64;
    case NNADAPTER_FLOAT32:
      return lite::DataType::kFP32;
    case NNADAPTER_FLOAT64:
      return lite::DataType::kFP64;
    default:
      throw Error(NNADAPTER_FEATURE_NOT_SUPPORTED,
                  std::string("builtin_device: operands that are ") +
                      runtime::PrecisionName(precision) + " cannot be computed on the CPU");
  }
}

NNAdapterOperandPrecisionCode PrecisionOf(lite::DataType type) {
  switch (type) {
    case lite::DataType::kBool:
      return NNADAPTER_BOOL8;
    case lite::DataType::kInt8:
      return NNADAPTER_INT8;
    case lite::DataType::kUInt8:
      return NNADAPTER_UINT8;
    case lite::DataType::kInt16:
      return NNADAPTER_INT16;
    case lite::DataType::kInt32:
      return NNADAPTER_INT32;
    case lite::DataType::kInt64:
      return NNADAPTER_INT64;
    case lite::DataType::kFP16:
      return NNADAPTER_FLOAT16;
    case lite::DataType::kFP32:
      return NNADAPTER_FLOAT32;
    case lite::DataType::kFP64:
      return NNADAPTER_FLOAT64;
    case lite::DataType::kComplex64:
    case lite::DataType::kComplex128:
      break;
  }
  throw Error(NNADAPTER_DEVICE_INTERNAL_ERROR, "builtin_device: unknown element type");
}

lite::DataType TypeForCode(int64_t precision) {
  if (runtime::IsQuantized(static_cast<int32_t>(precision)))
    throw Error(NNADAPTER_INVALID_PARAMETER, "a dtype operand names a quantised precision");
  return StorageType(static_cast<int32_t>(precision));
}

GraphBuilder::GraphBuilder(const core::Model& model)
    : model_(&model), graph_(std::make_shared<lite::Graph>()) {}

GraphBuilder::GraphBuilder() : graph_(std::make_shared<lite::Graph>()) {}

std::shared_ptr<lite::Graph> GraphBuilder::Run() {
  for (const core::Operand* input : model_->input_operands) {
    StorageType(input->type.precision);
    stored_[input] = graph_->AddValue("input" + std::to_string(graph_->inputs.size()));
    graph_->inputs.push_back(stored_[input]);
  }
  for (const core::Operation& operation : model_->operations) Lower(operation);
  for (const core::Operand* output : model_->output_operands)
    graph_->outputs.push_back(Stored(*output));
  graph_->Finish();
  return graph_;
}

void GraphBuilder::Lower(const core::Operation& operation) {
  const runtime::OperationInfo* info = runtime::OperationRegistry::Global().Find(operation.type);
  const LowerFn lower = LoweringRegistry::Global().Find(operation.type);
  if (info == nullptr || lower == nullptr)
    throw Error(NNADAPTER_FEATURE_NOT_SUPPORTED,
                "builtin_device: there is no operation " + std::to_string(operation.type));
  try {
    Lowering lowering(this, *info, operation);
    lower(lowering);
    FinishOutputs();
  } catch (const Error& error) {
    throw Error(error.code(), info->name() + ": " + error.what());
  } catch (const lite::LiteError& error) {
    throw Error(NNADAPTER_FEATURE_NOT_SUPPORTED, info->name() + ": " + error.what());
  }
}

ValueId GraphBuilder::AddFeed(const core::Operand& operand, bool real) {
  StorageType(operand.type.precision);
  const ValueId value = graph_->AddValue("operand" + std::to_string(graph_->values.size()));
  feeds_[value] = {&operand, real};
  return value;
}

ValueId GraphBuilder::AddConstant(const core::Operand& operand) {
  lite::Tensor tensor(
      lite::TensorMeta{DimsOfType(operand.type), StorageType(operand.type.precision), {}});
  const size_t bytes = tensor.memory_size();
  if (bytes != operand.length)
    throw Error(NNADAPTER_INVALID_PARAMETER, "a constant has " + std::to_string(operand.length) +
                                                 " bytes, its type needs " + std::to_string(bytes));
  const bool stays = operand.type.lifetime == NNADAPTER_CONSTANT_REFERENCE;
  if (stays && reinterpret_cast<uintptr_t>(operand.buffer) % kAlignment == 0) {
    tensor.Bind(operand.buffer, bytes);
  } else {
    tensor.MutableRaw(tensor.dtype());
    if (bytes > 0) std::memcpy(tensor.raw_data(), operand.buffer, bytes);
  }
  return graph_->AddConstant("constant" + std::to_string(graph_->values.size()), std::move(tensor));
}

ValueId GraphBuilder::Stored(const core::Operand& operand) {
  const auto found = stored_.find(&operand);
  if (found != stored_.end()) return found->second;
  if (model_ == nullptr) return stored_[&operand] = AddFeed(operand, false);
  if (!IsConstant(operand))
    throw Error(NNADAPTER_INVALID_PARAMETER, "an operand is read before anything writes it");
  return stored_[&operand] = AddConstant(operand);
}

ValueId GraphBuilder::Real(const core::Operand& operand) {
  if (!runtime::IsQuantized(operand.type.precision)) return Stored(operand);
  const auto found = real_.find(&operand);
  if (found != real_.end()) return found->second;
  if (model_ == nullptr) return real_[&operand] = AddFeed(operand, true);
  const ValueId value =
      IsConstant(operand) ? graph_->AddConstant("constant" + std::to_string(graph_->values.size()),
                                                DequantizeConstant(operand))
                          : EmitDequantize(this, Stored(operand), operand.type);
  return real_[&operand] = value;
}

ValueId GraphBuilder::Define(const core::Operand& operand) {
  const ValueId value = graph_->AddValue("value" + std::to_string(graph_->values.size()));
  if (!runtime::IsQuantized(operand.type.precision)) return stored_[&operand] = value;
  to_quantize_.emplace_back(&operand, value);
  return value;
}

void GraphBuilder::FinishOutputs() {
  for (const auto& [operand, value] : to_quantize_)
    stored_[operand] = EmitQuantize(this, value, operand->type);
  to_quantize_.clear();
}

void GraphBuilder::Emit(const std::string& type, const Slots& inputs, const Slots& outputs,
                        const lite::AttributeMap& attributes) {
  const lite::OpInfo* info = lite::OpRegistry::Global().Find(type);
  if (info == nullptr)
    throw Error(NNADAPTER_DEVICE_INTERNAL_ERROR, "there is no CPU operator " + type);
  lite::OpLite op(info, inputs, outputs, attributes);
  op.SetWhere(type + " " + std::to_string(graph_->ops.size()) + " of builtin_device");
  graph_->ops.push_back(std::move(op));
}

ValueId Lowering::In(std::string_view name, size_t index) {
  return builder_.Real(Operand(name, index));
}

std::vector<ValueId> Lowering::AllIn(std::string_view name) {
  std::vector<ValueId> values;
  for (size_t i = 0; i < Count(name); ++i) values.push_back(In(name, i));
  return values;
}

ValueId Lowering::Out(std::string_view name, size_t index) {
  const core::Operand* operand = OutputOrNull(name, index);
  // An output that nobody asked for still needs a place.
  return operand != nullptr ? builder_.Define(*operand) : Temp();
}

std::vector<ValueId> Lowering::AllOut(std::string_view name) {
  std::vector<ValueId> values;
  for (size_t i = 0; i < OutputCount(name); ++i) values.push_back(Out(name, i));
  return values;
}

std::vector<ValueId> Lowering::OptionalIn(std::string_view name) {
  return Has(name) ? std::vector<ValueId>{In(name)} : std::vector<ValueId>{};
}

std::vector<ValueId> Lowering::OptionalOut(std::string_view name) {
  return HasOutput(name) ? std::vector<ValueId>{Out(name)} : std::vector<ValueId>{};
}

ValueId Lowering::Temp() {
  return builder_.graph().AddValue("value" + std::to_string(builder_.graph().values.size()));
}

ValueId Lowering::Constant(const std::vector<float>& values, const std::vector<int64_t>& dims) {
  return builder_.graph().AddConstant("constant", TensorOf(values, dims));
}

ValueId Lowering::Constant(const std::vector<int64_t>& values, const std::vector<int64_t>& dims) {
  return builder_.graph().AddConstant("constant", TensorOf(values, dims));
}

ValueId Lowering::Constant(const std::vector<int32_t>& values, const std::vector<int64_t>& dims) {
  return builder_.graph().AddConstant("constant", TensorOf(values, dims));
}

runtime::Dims Lowering::DimsOf(std::string_view name, size_t index) const {
  const NNAdapterOperandDimensionType& dims = Type(name, index).dimensions;
  return runtime::Dims(dims.data, dims.data + dims.count);
}

lite::DataType Lowering::DataTypeOf(std::string_view name, size_t index) const {
  const int32_t precision = Type(name, index).precision;
  return runtime::IsQuantized(precision) ? lite::DataType::kFP32 : StorageType(precision);
}

std::vector<int32_t> Lowering::I32s(std::string_view name) const {
  const std::vector<int64_t> values = Ints(name);
  for (const int64_t value : values)
    Support(value == static_cast<int32_t>(value),
            std::string(name) + " holds " + std::to_string(value) + ", which is no int32");
  return std::vector<int32_t>(values.begin(), values.end());
}

std::optional<std::vector<int32_t>> Lowering::Known(std::string_view name) const {
  const core::Operand* operand = InputOrNull(name);
  if (operand == nullptr) return std::nullopt;
  if (runtime::OperationView::IsConstant(name)) {
    std::vector<int32_t> numbers;
    for (const int64_t number : Ints(name))
      numbers.push_back(static_cast<int32_t>(
          std::clamp<int64_t>(number, std::numeric_limits<int32_t>::min(), INT32_MAX)));
    return numbers;
  }
  const NNAdapterOperandDimensionType* shape = runtime::TemporaryShapeOf(*operand);
  if (shape == nullptr) return std::nullopt;
  std::vector<int32_t> numbers(shape->data, shape->data + shape->count);
  for (const int32_t number : numbers)
    if (number == NNADAPTER_UNKNOWN) return std::nullopt;
  return numbers;
}

ValueId Lowering::Cast(ValueId value, lite::DataType from, lite::DataType to) {
  if (from == to) return value;
  const ValueId cast = Temp();
  EmitCast(value, from, to, cast);
  return cast;
}

void Lowering::EmitCast(ValueId value, lite::DataType from, lite::DataType to, ValueId out) {
  Emit("cast", {{"X", {value}}}, {{"Out", {out}}},
       {{"in_dtype", static_cast<int32_t>(from)}, {"out_dtype", static_cast<int32_t>(to)}});
}

int32_t Lowering::ListSize(std::string_view name) const {
  if (!Has(name)) return 0;
  const runtime::Dims dims = DimsOf(name);
  const int64_t size = runtime::Product(dims, 0, dims.size());
  Support(size >= 0 && size <= INT32_MAX, std::string(name) + " has an unknown size");
  return static_cast<int32_t>(size);
}

void Lowering::EmitFused(const std::string& type, const Slots& inputs,
                         const std::string& output_slot, const std::string& output,
                         const lite::AttributeMap& attributes, const Slots& other_outputs) {
  const int64_t fuse_code = Int("fuse_code", NNADAPTER_FUSED_NONE);
  const ValueId result = Out(output);
  const ValueId before = fuse_code == NNADAPTER_FUSED_NONE ? result : Temp();
  Slots outputs = other_outputs;
  outputs[output_slot] = {before};
  Emit(type, inputs, outputs, attributes);
  const Slots x = {{"X", {before}}}, out = {{"Out", {result}}};
  const bool is_float = IsFloat(*OutputOrNull(output));
  const bool wide = OutputOrNull(output)->type.precision == NNADAPTER_INT64;
  Support(fuse_code == NNADAPTER_FUSED_NONE || is_float || wide ||
              OutputOrNull(output)->type.precision == NNADAPTER_INT32,
          "an activation of integers other than INT32 and INT64");
  if (fuse_code == NNADAPTER_FUSED_RELU && is_float) {
    Emit("relu", x, out);
  } else if (fuse_code == NNADAPTER_FUSED_RELU6 && is_float) {
    Emit("relu6", x, out);
  } else if (fuse_code == NNADAPTER_FUSED_RELU) {
    const ValueId zero = wide ? Constant(std::vector<int64_t>{0}, {}) : Constant(Ints32{0}, {});
    Emit("elementwise_max", {{"X", {before}}, {"Y", {zero}}}, out);
  } else if (fuse_code == NNADAPTER_FUSED_RELU1) {
    Emit("clip", x, out, {{"min", -1.0f}, {"max", 1.0f}});
  } else if (fuse_code == NNADAPTER_FUSED_RELU6) {
    Emit("clip", x, out, {{"min", 0.0f}, {"max", 6.0f}});
  } else {
    Support(fuse_code == NNADAPTER_FUSED_NONE, "fuse_code is " + std::to_string(fuse_code));
  }
}

void Lowering::Support(bool condition, const std::string& reason) const {
  if (!condition) throw Error(NNADAPTER_FEATURE_NOT_SUPPORTED, reason);
}

LoweringRegistry& LoweringRegistry::Global() {
  static auto* registry = new LoweringRegistry;  // never destroyed: programs may outlive main()
  return *registry;
}

bool LoweringRegistry::Register(NNAdapterOperationType code, LowerFn lower) {
  if (!lowerings_.emplace(code, lower).second) {
    std::fprintf(stderr, "NNAdapter operation %d has two lowerings\n", static_cast<int>(code));
    std::abort();
  }
  return true;
}

LowerFn LoweringRegistry::Find(NNAdapterOperationType code) const {
  const auto found = lowerings_.find(code);
  return found == lowerings_.end() ? nullptr : found->second;
}

}  // namespace nnadapter::builtin_device
