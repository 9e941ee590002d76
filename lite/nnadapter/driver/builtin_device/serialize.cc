#include "lite/nnadapter/driver/builtin_device/serialize.h"

#include <cstring>
#include <map>
#include <string>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::builtin_device {
namespace {

using runtime::Error;

constexpr char kMagic[8] = {'B', 'D', 'M', 'O', 'D', 'E', 'L', '1'};
constexpr uint32_t kNone = 0xffffffff;
// Kernels borrow constants that stand on this boundary.
constexpr size_t kAlignment = 64;

bool IsPerChannel(int32_t precision) {
  return precision == NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL ||
         precision == NNADAPTER_QUANT_INT16_SYMM_PER_CHANNEL ||
         precision == NNADAPTER_QUANT_INT32_SYMM_PER_CHANNEL;
}

class Writer {
 public:
  void Bytes(const void* data, size_t size) {
    const auto* from = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), from, from + size);
  }
  void U32(size_t value) {
    const auto narrow = static_cast<uint32_t>(value);
    Bytes(&narrow, sizeof(narrow));
  }
  void Align() { bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment); }
  std::vector<uint8_t> Take() { return std::move(bytes_); }

 private:
  std::vector<uint8_t> bytes_;
};

class Reader {
 public:
  Reader(uint8_t* data, size_t size) : data_(data), size_(size) {}
  uint8_t* Bytes(size_t size) {
    if (size > size_ - at_)
      throw Error(NNADAPTER_INVALID_PARAMETER,
                  "builtin_device: a cached model ends too early, at byte " + std::to_string(at_));
    at_ += size;
    return data_ + at_ - size;
  }
  uint32_t U32() {
    uint32_t value;
    std::memcpy(&value, Bytes(sizeof(value)), sizeof(value));
    return value;
  }
  // A count of things that take at least `bytes` each.
  uint32_t Count(size_t bytes) {
    const uint32_t count = U32();
    if (count > (size_ - at_) / bytes) Bytes(size_);
    return count;
  }
  void Align() {
    const size_t aligned = (at_ + kAlignment - 1) / kAlignment * kAlignment;
    Bytes(aligned - at_);
  }
  bool AtEnd() const { return at_ == size_; }

 private:
  uint8_t* data_;
  size_t size_, at_ = 0;
};

using Index = std::map<const core::Operand*, uint32_t>;

void WriteOperands(const std::vector<core::Operand*>& operands, const Index& index, Writer* out) {
  out->U32(operands.size());
  for (const core::Operand* operand : operands)
    out->U32(operand == nullptr ? kNone : index.at(operand));
}

void WriteOperand(const core::Operand& operand, Writer* out) {
  NNAdapterOperandType type = operand.type;
  const bool per_channel = IsPerChannel(type.precision);
  const NNAdapterSymmPerChannelQuantParams params = type.symm_per_channel_params;
  if (per_channel) type.symm_per_channel_params.scales = nullptr;
  out->Bytes(&type, sizeof(type));
  if (per_channel) out->Bytes(params.scales, params.scale_count * sizeof(float));
  const NNAdapterOperandDimensionType* shape = runtime::TemporaryShapeOf(operand);
  out->U32(shape != nullptr);
  if (shape != nullptr) out->Bytes(shape, sizeof(*shape));
  out->U32(operand.buffer != nullptr);
  if (operand.buffer == nullptr) return;
  out->U32(operand.length);
  out->Align();
  out->Bytes(operand.buffer, operand.length);
}

void CheckDims(const NNAdapterOperandDimensionType& dims) {
  if (dims.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS ||
      dims.dynamic_count > NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS)
    throw Error(NNADAPTER_INVALID_PARAMETER, "builtin_device: a cached model has a damaged shape");
}

void ReadOperand(Reader* in, OwnedModel* owned) {
  core::Operand& operand = owned->model.operands.emplace_back();
  std::memcpy(&operand.type, in->Bytes(sizeof(operand.type)), sizeof(operand.type));
  CheckDims(operand.type.dimensions);
  if (IsPerChannel(operand.type.precision)) {
    auto& params = operand.type.symm_per_channel_params;
    params.scales = nullptr;
    const uint8_t* from = in->Bytes(size_t{params.scale_count} * sizeof(float));
    auto& scales = owned->scales.emplace_back(params.scale_count);
    if (!scales.empty()) std::memcpy(scales.data(), from, scales.size() * sizeof(float));
    params.scales = scales.data();
  }
  if (in->U32() != 0) {
    NNAdapterOperandDimensionType shape;
    std::memcpy(&shape, in->Bytes(sizeof(shape)), sizeof(shape));
    CheckDims(shape);
    runtime::SetTemporaryShape(&operand, shape);
  }
  if (in->U32() == 0) return;
  operand.length = in->U32();
  in->Align();
  operand.buffer = in->Bytes(operand.length);
  operand.type.lifetime = NNADAPTER_CONSTANT_REFERENCE;
}

std::vector<core::Operand*> ReadOperands(Reader* in, const std::vector<core::Operand*>& all,
                                         bool optional) {
  std::vector<core::Operand*> operands(in->Count(sizeof(uint32_t)));
  for (core::Operand*& operand : operands) {
    const uint32_t index = in->U32();
    if (index == kNone && optional) continue;
    if (index >= all.size())
      throw Error(NNADAPTER_INVALID_PARAMETER, "builtin_device: a cached model refers to operand " +
                                                   std::to_string(index) + " of " +
                                                   std::to_string(all.size()));
    operand = all[index];
  }
  return operands;
}

}  // namespace

OwnedModel::~OwnedModel() {
  for (core::Operand& operand : model.operands)
    for (core::Hint& hint : operand.hints)
      if (hint.handler != nullptr && hint.deleter != nullptr) hint.deleter(&hint.handler);
}

std::vector<uint8_t> SaveModel(const core::Model& model) {
  Writer out;
  out.Bytes(kMagic, sizeof(kMagic));
  Index index;
  for (const core::Operand& operand : model.operands)
    index.emplace(&operand, static_cast<uint32_t>(index.size()));
  out.U32(model.operands.size());
  for (const core::Operand& operand : model.operands) WriteOperand(operand, &out);
  out.U32(model.operations.size());
  for (const core::Operation& operation : model.operations) {
    out.U32(static_cast<uint32_t>(operation.type));
    WriteOperands(operation.input_operands, index, &out);
    WriteOperands(operation.output_operands, index, &out);
  }
  WriteOperands(model.input_operands, index, &out);
  WriteOperands(model.output_operands, index, &out);
  return out.Take();
}

std::unique_ptr<OwnedModel> LoadModel(const uint8_t* data, size_t size) {
  auto owned = std::make_unique<OwnedModel>();
  owned->bytes.assign(data, data + size);
  Reader in(owned->bytes.data(), size);
  if (std::memcmp(in.Bytes(sizeof(kMagic)), kMagic, sizeof(kMagic)) != 0)
    throw Error(NNADAPTER_INVALID_PARAMETER,
                "builtin_device: the cache does not hold a model of builtin_device");
  const uint32_t operand_count = in.Count(sizeof(NNAdapterOperandType));
  for (uint32_t i = 0; i < operand_count; ++i) ReadOperand(&in, owned.get());
  std::vector<core::Operand*> all;
  for (core::Operand& operand : owned->model.operands) all.push_back(&operand);
  const uint32_t operation_count = in.Count(3 * sizeof(uint32_t));
  for (uint32_t i = 0; i < operation_count; ++i) {
    core::Operation& operation = owned->model.operations.emplace_back();
    operation.type = static_cast<NNAdapterOperationType>(in.U32());
    operation.input_operands = ReadOperands(&in, all, true);
    operation.output_operands = ReadOperands(&in, all, true);
  }
  owned->model.input_operands = ReadOperands(&in, all, false);
  owned->model.output_operands = ReadOperands(&in, all, false);
  if (!in.AtEnd())
    throw Error(NNADAPTER_INVALID_PARAMETER, "builtin_device: a cached model has extra bytes");
  // What a driver of the runtime may take for granted is checked again: the bytes are not trusted.
  for (core::Operation& operation : owned->model.operations)
    if (!runtime::CheckAndInfer(&operation))
      throw Error(NNADAPTER_INVALID_PARAMETER,
                  "builtin_device: a cached model has operands of unknown type");
  return owned;
}

}  // namespace nnadapter::builtin_device
