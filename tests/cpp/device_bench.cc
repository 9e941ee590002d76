#include "tests/cpp/device_bench.h"

#include <algorithm>

#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace paddle::lite::testing {

using nnadapter::runtime::OperandInfo;
using nnadapter::runtime::OperandKind;
using nnadapter::runtime::OperationInfo;

int64_t BytesOf(const NNAdapterOperandType& type) {
  const int64_t count = nnadapter::runtime::ElementCount(type.dimensions);
  const auto size = static_cast<int64_t>(nnadapter::runtime::PrecisionSize(CodeOf(type.precision)));
  return count < 0 || count > kLargestTensor || count * size > kLargestTensor ? -1 : count * size;
}

// -- RandomParts

int32_t RandomParts::Odd() {
  static constexpr int32_t kNumbers[] = {
      0, 1, 2, 3, 4, 7, 8, 9, 16, 255, -1, -2, -7, 65535, -65535, 1 << 30, INT32_MAX, INT32_MIN};
  return kNumbers[random_.Below(std::size(kNumbers))];
}

std::vector<int32_t> RandomParts::Shape() {
  static constexpr size_t kRanks[] = {0, 1, 1, 2, 3, 4, 4, 4, 4, 5, 8};
  static constexpr int32_t kExtents[] = {1, 2, 2, 3, 4, 5, 6};
  std::vector<int32_t> shape(kRanks[random_.Below(std::size(kRanks))]);
  for (int32_t& extent : shape)
    extent = Exotic() ? Odd() : Chance(60) ? 0 : kExtents[random_.Below(std::size(kExtents))];
  return shape;
}

NNAdapterOperandType RandomParts::Type(const std::vector<int32_t>& shape, int32_t precision,
                                       std::vector<float>* scales) {
  NNAdapterOperandType type{};
  SetCode(&type.precision, Exotic() ? Odd() : precision);
  if (Exotic()) SetCode(&type.layout, Odd());
  if (Exotic()) SetCode(&type.lifetime, static_cast<int32_t>(random_.Below(8)));
  auto& dimensions = type.dimensions;
  dimensions.count = static_cast<uint32_t>(shape.size());
  std::copy(shape.begin(), shape.end(), dimensions.data);
  if (Exotic()) dimensions.count = static_cast<uint32_t>(Odd());
  if (dimensions.count > 0 && dimensions.count <= 8 && Chance(8)) {
    const size_t axis = random_.Below(dimensions.count);
    const uint32_t candidates = static_cast<uint32_t>(Exotic() ? Odd() : random_.Below(3));
    dimensions.dynamic_count = candidates;
    for (uint32_t i = 0; i < std::min(candidates, 8u); ++i) {
      std::copy(dimensions.data, dimensions.data + 8, dimensions.dynamic_data[i]);
      if (Exotic()) dimensions.dynamic_data[i][axis] = Odd();
    }
    dimensions.data[axis] = NNADAPTER_UNKNOWN;
  }
  const int32_t code = CodeOf(type.precision);
  if (nnadapter::runtime::IsPerChannel(code)) {
    auto& params = type.symm_per_channel_params;
    params.channel_dim = static_cast<uint32_t>(Exotic() ? Odd() : random_.Below(2));
    const bool known = params.channel_dim < shape.size() && shape[params.channel_dim] >= 0 &&
                       shape[params.channel_dim] < 64;
    scales->assign(
        known && !Exotic() ? static_cast<size_t>(shape[params.channel_dim]) : random_.Below(4),
        Exotic() ? 0.0f : 0.5f);
    params.scale_count = static_cast<uint32_t>(scales->size());
    params.scales = scales->empty() || Exotic() ? nullptr : scales->data();
  } else if (nnadapter::runtime::IsQuantized(code)) {
    static constexpr float kScales[] = {0.5f, 0.01f, 1.0f, 0.0f, -1.0f, 1e30f};
    type.asymm_per_layer_params.scale = kScales[random_.Below(Exotic() ? std::size(kScales) : 3)];
    if (precision == NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER)
      type.asymm_per_layer_params.zero_point = Exotic() ? Odd() : 128;
  }
  return type;
}

int RandomParts::AddTensor(ModelPlan* plan, const std::vector<int32_t>& shape, int32_t precision) {
  static constexpr int32_t kOthers[] = {
      NNADAPTER_INT32,
      NNADAPTER_INT64,
      NNADAPTER_BOOL8,
      NNADAPTER_FLOAT64,
      NNADAPTER_UINT8,
      NNADAPTER_FLOAT16,
      NNADAPTER_QUANT_INT8_SYMM_PER_LAYER,
      NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL,
      NNADAPTER_QUANT_UINT8_ASYMM_PER_LAYER,
      NNADAPTER_QUANT_INT32_SYMM_PER_LAYER,
      NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL,
  };
  if (Chance(16)) precision = kOthers[random_.Below(std::size(kOthers))];
  OperandPlan operand;
  operand.type = Type(Chance(3) ? Shape() : shape, precision, &operand.scales);
  const int64_t bytes = BytesOf(operand.type);
  operand.kind = Chance(3) && bytes > 0 ? OperandPlan::kConstant : OperandPlan::kInput;
  if (operand.kind == OperandPlan::kConstant) {
    operand.value.resize(static_cast<size_t>(bytes));
    const bool floats = CodeOf(operand.type.precision) == NNADAPTER_FLOAT32;
    for (size_t i = 0; i < operand.value.size(); i += 4) {
      const float number = Exotic() ? 3e38f : static_cast<float>(random_.Below(9)) / 2 - 2;
      const int32_t integer = Exotic() ? Odd() : static_cast<int32_t>(random_.Below(4));
      std::memcpy(&operand.value[i], floats ? static_cast<const void*>(&number) : &integer,
                  std::min<size_t>(4, operand.value.size() - i));
    }
    if (CodeOf(operand.type.precision) == NNADAPTER_BOOL8)
      for (uint8_t& byte : operand.value) byte &= 1;
  }
  plan->operands.push_back(operand);
  return static_cast<int>(plan->operands.size()) - 1;
}

int RandomParts::AddScalar(ModelPlan* plan, int kind) {
  static constexpr float kFloats[] = {0.5f, 1.0f, 0.0f, -1.0f, 1e-5f, 3e38f};
  const auto as = static_cast<OperandKind>(kind);
  const bool one = as == OperandKind::kInt || as == OperandKind::kFloat || as == OperandKind::kBool;
  static constexpr size_t kCounts[] = {1, 2, 2, 2, 3, 4, 4, 4};
  const size_t count = one && !Exotic() ? 1 : kCounts[random_.Below(std::size(kCounts))];
  const bool wide = Chance(5);
  OperandPlan operand;
  operand.kind = OperandPlan::kConstant;
  int32_t precision = wide ? NNADAPTER_INT64 : NNADAPTER_INT32;
  if (as == OperandKind::kBool) precision = NNADAPTER_BOOL8;
  if (as == OperandKind::kFloat || as == OperandKind::kFloats) precision = NNADAPTER_FLOAT32;
  SetCode(&operand.type.precision, precision);
  operand.type.dimensions.count = 1;
  operand.type.dimensions.data[0] = static_cast<int32_t>(count);
  for (size_t i = 0; i < count; ++i) {
    const int64_t integer = Exotic() ? Odd() : static_cast<int64_t>(random_.Below(4)) - Chance(6);
    const float number = kFloats[random_.Below(Exotic() ? std::size(kFloats) : 3)];
    const auto* from = reinterpret_cast<const uint8_t*>(&integer);
    if (precision == NNADAPTER_FLOAT32) from = reinterpret_cast<const uint8_t*>(&number);
    const uint8_t boolean = integer > 0;
    if (precision == NNADAPTER_BOOL8) from = &boolean;
    operand.value.insert(operand.value.end(), from,
                         from + nnadapter::runtime::PrecisionSize(precision));
  }
  plan->operands.push_back(operand);
  return static_cast<int>(plan->operands.size()) - 1;
}

ModelPlan RandomParts::Plan() {
  static constexpr int32_t kPrecisions[] = {NNADAPTER_FLOAT32, NNADAPTER_FLOAT32,
                                            NNADAPTER_FLOAT32, NNADAPTER_INT32,
                                            NNADAPTER_INT64,   NNADAPTER_QUANT_INT8_SYMM_PER_LAYER};
  const std::vector<OperationInfo>& infos = nnadapter::runtime::OperationRegistry::Global().All();
  ModelPlan plan;
  const std::vector<int32_t> shape = Shape();
  const int32_t precision = kPrecisions[random_.Below(std::size(kPrecisions))];
  std::vector<int> tensors;
  for (size_t n = 1 + random_.Below(4); n > 0; --n) {
    const OperationInfo& info = infos[random_.Below(infos.size())];
    OperationPlan operation;
    operation.type = Exotic() ? Odd() : info.code();
    for (const OperandInfo& declared : info.inputs()) {
      for (size_t k = declared.repeated ? 1 + random_.Below(3) : 1; k > 0; --k) {
        const bool tensor = declared.kind == OperandKind::kTensor ||
                            (declared.kind == OperandKind::kShape && Chance(8));
        int number;
        if ((declared.optional && Chance(2)) || Exotic())
          number = -1;
        else if (!tensor)
          number = AddScalar(&plan, static_cast<int>(declared.kind));
        else if (!tensors.empty() && !Chance(3))
          number = Pick(tensors);
        else
          tensors.push_back(number = AddTensor(&plan, shape, precision));
        operation.inputs.push_back(number);
      }
    }
    size_t outputs = info.outputs().size();
    if (!info.outputs().empty() && info.outputs().back().repeated) outputs += random_.Below(3);
    if (Exotic()) outputs = random_.Below(4);
    for (size_t k = 0; k < outputs; ++k) {
      OperandPlan operand;
      SetCode(&operand.type.precision, NNADAPTER_UNKNOWN);
      if (Exotic()) operand.type = Type(Shape(), precision, &operand.scales);
      plan.operands.push_back(operand);
      operation.outputs.push_back(static_cast<int>(plan.operands.size()) - 1);
      tensors.push_back(operation.outputs.back());
    }
    plan.operations.push_back(operation);
  }
  return plan;
}

std::string RandomParts::Properties() {
  static const char* const kPieces[] = {"BUILTIN_DEVICE_NUM_THREADS",
                                        "SUPPORTED_OPERATIONS",
                                        "HOSTILE_SUPPORTED_OPERATIONS",
                                        "=",
                                        "=",
                                        "=",
                                        ";",
                                        ";",
                                        ",",
                                        "RELU",
                                        "ADD,CONV_2D",
                                        "2",
                                        "-1",
                                        "257",
                                        "99999999999999999999",
                                        " ",
                                        "relu",
                                        "\n",
                                        "\xff\xfe",
                                        "%s%n",
                                        "key",
                                        "value",
                                        "BUILTIN_DEVICE_NUM_THREADS=2;",
                                        "[",
                                        "#"};
  std::string text;
  if (Chance(3)) return Chance(2) ? text : "BUILTIN_DEVICE_NUM_THREADS=1;";
  for (size_t n = random_.Below(9); n > 0; --n) text += kPieces[random_.Below(std::size(kPieces))];
  if (Exotic()) text += std::string(random_.Below(5000), 'x');
  return text;
}

// -- Inputs and outputs

namespace {
void Misbehave(Random* random, NNAdapterOperandDimensionType* dimensions) {
  switch (random->Below(5)) {
    case 0:
      dimensions->count = static_cast<uint32_t>(random->Below(12));
      break;
    case 1:
      dimensions->count = UINT32_MAX;
      break;
    case 2:
      throw std::runtime_error("an access function that throws");
    case 3:
      throw 7;
    default:
      dimensions->data[random->Below(8)] = -static_cast<int32_t>(random->Below(100));
  }
}
}  // namespace

void* AccessSource(void* opaque, NNAdapterOperandType* type, void*) {
  auto& source = *static_cast<Source*>(opaque);
  NNAdapterOperandType own = source.type;
  const uint32_t count = std::min<uint32_t>(own.dimensions.count, 8);
  const size_t candidate =
      source.random->Below(std::min<uint32_t>(own.dimensions.dynamic_count, 8));
  for (uint32_t i = 0; i < count; ++i) {
    int32_t& extent = own.dimensions.data[i];
    if (extent != NNADAPTER_UNKNOWN) continue;
    if (own.dimensions.dynamic_count > 0) extent = own.dimensions.dynamic_data[candidate][i];
    if (extent < 0) extent = 1 + static_cast<int32_t>(source.random->Below(3));
  }
  if (source.hostile && source.random->Below(20) == 0) Misbehave(source.random, &own.dimensions);
  type->dimensions.count = own.dimensions.count;
  std::memcpy(type->dimensions.data, own.dimensions.data, sizeof(own.dimensions.data));
  const int64_t bytes = BytesOf(own);
  if (bytes < 0 || (source.hostile && source.random->Below(50) == 0)) return nullptr;
  // Of exactly this size, so that a sanitizer sees a step beyond the end.
  std::vector<uint8_t>& memory = source.answers.emplace_back(static_cast<size_t>(bytes));
  const bool boolean = CodeOf(own.precision) == NNADAPTER_BOOL8;
  const bool floats = CodeOf(own.precision) == NNADAPTER_FLOAT32;
  for (size_t i = 0; i < memory.size(); i += 4) {
    const float number = static_cast<float>(source.random->Below(9)) / 2 - 2;
    const size_t limit = source.random->Below(64) == 0 ? SIZE_MAX : 4;
    const auto integer = static_cast<uint32_t>(source.random->Below(limit));
    std::memcpy(&memory[i], floats ? static_cast<const void*>(&number) : &integer,
                std::min<size_t>(4, memory.size() - i));
  }
  if (boolean)
    for (uint8_t& byte : memory) byte &= 1;
  return memory.data();
}

void* AccessSink(void* opaque, NNAdapterOperandType* type, void*) {
  auto& sink = *static_cast<Sink*>(opaque);
  if (sink.hostile && sink.random->Below(30) == 0) {
    NNAdapterOperandType copy = *type;
    Misbehave(sink.random, &copy.dimensions);
    return nullptr;
  }
  sink.bytes = BytesOf(*type);
  if (sink.bytes < 0) throw std::runtime_error("an output that is too large");
  sink.memory.reset(new uint8_t[static_cast<size_t>(sink.bytes)]());
  return sink.memory.get();
}

// -- Bench

bool Bench::Ok(int code, const char* call) {
  if (code == NNADAPTER_NO_ERROR) return true;
  if (code < 0 || code > NNADAPTER_FEATURE_NOT_SUPPORTED)
    throw Violation(std::string(call) + " returned " + std::to_string(code));
  const char* text = NNAdapter_getLastErrorMessage();
  if (text == nullptr || *text == '\0' || NNAdapter_getLastErrorCode() != code)
    throw Violation(std::string(call) + " failed without a text");
  return false;
}

void Bench::Destroy(Kind kind, void* handle) {
  switch (kind) {
    case kDevice:
      return NNAdapterDevice_release(static_cast<NNAdapterDevice*>(handle));
    case kContext:
      return NNAdapterContext_destroy(static_cast<NNAdapterContext*>(handle));
    case kModel:
      return NNAdapterModel_destroy(static_cast<NNAdapterModel*>(handle));
    case kCompilation:
      return NNAdapterCompilation_destroy(static_cast<NNAdapterCompilation*>(handle));
    default:
      return NNAdapterExecution_destroy(static_cast<NNAdapterExecution*>(handle));
  }
}

void Bench::DestroyAll() {
  while (!live_.empty()) {
    std::swap(live_[random_.Below(live_.size())], live_.back());
    Destroy(live_.back().kind, live_.back().handle);
    live_.pop_back();
  }
}

NNAdapterDevice* Bench::Device(const char* name) {
  NNAdapterDevice* device = nullptr;
  if (!Ok(NNAdapterDevice_acquire(name, &device), "Device_acquire")) return nullptr;
  Keep(kDevice, device);
  return device;
}

NNAdapterContext* Bench::Context(std::vector<NNAdapterDevice*> devices, const char* properties) {
  NNAdapterContext* context = nullptr;
  const int code = NNAdapterContext_create(devices.data(), static_cast<uint32_t>(devices.size()),
                                           properties, nullptr, &context);
  if (!Ok(code, "Context_create")) return nullptr;
  Keep(kContext, context);
  return context;
}

NNAdapterModel* Bench::TryModel(const ModelPlan& plan, std::vector<bool>* skip, bool* again) {
  NNAdapterModel* model = nullptr;
  if (!Ok(NNAdapterModel_create(&model), "Model_create")) return nullptr;
  std::unique_ptr<NNAdapterModel, void (*)(NNAdapterModel*)> guard(model, NNAdapterModel_destroy);
  std::vector<NNAdapterOperand*> operands(plan.operands.size(), nullptr);
  std::vector<bool> read(plan.operands.size(), false), written(plan.operands.size(), false);
  std::vector<NNAdapterOperand*> inputs, outputs;
  const auto add = [&](int number) -> bool {
    if (number < 0 || operands[static_cast<size_t>(number)]) return true;
    const OperandPlan& operand = plan.operands[static_cast<size_t>(number)];
    NNAdapterOperand*& made = operands[static_cast<size_t>(number)];
    NNAdapterOperandType type = operand.type;
    if (nnadapter::runtime::IsPerChannel(CodeOf(type.precision)) && !operand.scales.empty())
      type.symm_per_channel_params.scales = operand.scales.data();
    if (!Ok(NNAdapterModel_addOperand(model, &type, &made), "Model_addOperand")) return false;
    if (operand.kind == OperandPlan::kInput) inputs.push_back(made);
    if (operand.kind != OperandPlan::kConstant || operand.value.empty()) return true;
    memory.push_back(operand.value);
    memory.back().shrink_to_fit();
    return Ok(NNAdapterModel_setOperandValue(made, memory.back().data(),
                                             static_cast<uint32_t>(memory.back().size()),
                                             random_.Below(2) == 0),
              "Model_setOperandValue");
  };
  for (size_t i = 0; i < plan.operations.size(); ++i) {
    if ((*skip)[i]) continue;
    const OperationPlan& planned = plan.operations[i];
    std::vector<NNAdapterOperand*> in, out;
    bool good = true;
    for (int number : planned.inputs) {
      const bool dangling =
          number >= 0 && !written[static_cast<size_t>(number)] &&
          plan.operands[static_cast<size_t>(number)].kind == OperandPlan::kComputed;
      good = good && !dangling && add(number);
      in.push_back(number < 0 || !good ? nullptr : operands[static_cast<size_t>(number)]);
    }
    for (int number : planned.outputs) {
      good = good && add(number);
      out.push_back(number < 0 || !good ? nullptr : operands[static_cast<size_t>(number)]);
    }
    NNAdapterOperation* operation = nullptr;
    if (!good || !Ok(NNAdapterModel_addOperation(
                         model, planned.type, static_cast<uint32_t>(in.size()), in.data(),
                         static_cast<uint32_t>(out.size()), out.data(), &operation),
                     "Model_addOperation")) {
      // What it added stays in the model without use: once more, without the operation.
      (*skip)[i] = *again = true;
      return nullptr;
    }
    for (int number : planned.inputs)
      if (number >= 0) read[static_cast<size_t>(number)] = true;
    for (int number : planned.outputs)
      if (number >= 0) written[static_cast<size_t>(number)] = true;
  }
  for (size_t i = 0; i < operands.size(); ++i)
    if (written[i] && (!read[i] || random_.Below(4) == 0)) outputs.push_back(operands[i]);
  if (outputs.empty()) return nullptr;
  const int code = NNAdapterModel_identifyInputsAndOutputs(
      model, static_cast<uint32_t>(inputs.size()), inputs.data(),
      static_cast<uint32_t>(outputs.size()), outputs.data());
  if (!Ok(code, "Model_identifyInputsAndOutputs") ||
      !Ok(NNAdapterModel_finish(model), "Model_finish"))
    return nullptr;
  for (NNAdapterOperand* operand : outputs) {
    NNAdapterOperandType* type = nullptr;
    Ok(NNAdapterModel_getOperandType(operand, &type), "Model_getOperandType");
    for (uint32_t i = 0; type != nullptr && i < type->dimensions.count; ++i)
      if (type->dimensions.data[i] < 0 && type->dimensions.data[i] != NNADAPTER_UNKNOWN)
        throw Violation("an output was inferred to have a negative dimension");
  }
  return guard.release();
}

NNAdapterModel* Bench::Model(const ModelPlan& plan) {
  std::vector<bool> skip(plan.operations.size(), false);
  for (;;) {
    bool again = false;
    NNAdapterModel* model = TryModel(plan, &skip, &again);
    if (model != nullptr) Keep(kModel, model);
    if (!again) return model;
  }
}

NNAdapterCompilation* Bench::Compile(NNAdapterModel* model, const char* token, const char* dir,
                                     const std::vector<uint8_t>& buffer,
                                     NNAdapterContext* context) {
  NNAdapterCompilation* compilation = nullptr;
  std::vector<uint8_t> copy = buffer;
  copy.shrink_to_fit();
  const int code =
      NNAdapterCompilation_create(model, token, copy.empty() ? nullptr : copy.data(),
                                  static_cast<uint32_t>(copy.size()), dir, context, &compilation);
  if (!Ok(code, "Compilation_create")) return nullptr;
  Keep(kCompilation, compilation);
  return Ok(NNAdapterCompilation_finish(compilation), "Compilation_finish") ? compilation : nullptr;
}

void Bench::Execute(NNAdapterCompilation* compilation, bool hostile) {
  uint32_t input_count = 0, output_count = 0;
  if (!Ok(NNAdapterCompilation_queryInputsAndOutputs(compilation, &input_count, nullptr,
                                                     &output_count, nullptr),
          "Compilation_queryInputsAndOutputs"))
    return;
  std::vector<NNAdapterOperandType*> inputs(input_count), outputs(output_count);
  Ok(NNAdapterCompilation_queryInputsAndOutputs(compilation, &input_count, inputs.data(),
                                                &output_count, outputs.data()),
     "Compilation_queryInputsAndOutputs");
  NNAdapterExecution* execution = nullptr;
  if (!Ok(NNAdapterExecution_create(compilation, &execution), "Execution_create")) return;
  Keep(kExecution, execution);
  std::vector<Sink*> own;
  for (uint32_t i = 0; i < input_count; ++i) {
    NNAdapterOperandType type{};
    if (inputs[i] != nullptr) type = *inputs[i];
    sources.push_back({&random_, type, hostile, {}});
    Ok(NNAdapterExecution_setInput(execution, static_cast<int32_t>(i), &sources.back(),
                                   AccessSource),
       "Execution_setInput");
  }
  for (uint32_t i = 0; i < output_count; ++i) {
    sinks.push_back({&random_, hostile, nullptr, 0});
    own.push_back(&sinks.back());
    Ok(NNAdapterExecution_setOutput(execution, static_cast<int32_t>(i), &sinks.back(), AccessSink),
       "Execution_setOutput");
  }
  for (size_t run = 1 + random_.Below(2); run > 0; --run) {
    if (!Ok(NNAdapterExecution_compute(execution), "Execution_compute")) continue;
    ++computed;
    for (Sink* sink : own) {
      volatile uint8_t sum = 0;
      if (sink->bytes > 0 && !sink->memory) throw Violation("an output was not handed over");
      for (int64_t k = 0; k < sink->bytes; ++k)
        sum = static_cast<uint8_t>(sum + sink->memory[static_cast<size_t>(k)]);
    }
  }
}

}  // namespace paddle::lite::testing
