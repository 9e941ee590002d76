#include "lite/nnadapter/runtime/operation.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operation_internal.h"
#include "nnadapter/hal/precision.h"

namespace nnadapter::runtime {

const OperationRegistry& OperationRegistry::Global() {
  static const auto* registry =
      new OperationRegistry;  // never destroyed: drivers may outlive main()
  return *registry;
}

const OperationInfo* OperationRegistry::Find(NNAdapterOperationType code) const {
  const bool known = code >= 0 && static_cast<size_t>(code) < operations_.size();
  return known ? &operations_[static_cast<size_t>(code)] : nullptr;
}

namespace {

// setOperandValue takes no empty buffers.
bool IsEmptyList(const core::Operand& operand) {
  return operand.buffer == nullptr && operand.type.dimensions.count == 1 &&
         operand.type.dimensions.data[0] == 0;
}

core::Operand* At(const std::vector<core::Operand*>& operands,
                  const std::vector<OperandInfo>& declared, std::string_view name, size_t index) {
  const Range range = RangeOf(declared, operands.size(), name);
  return index < range.count ? operands[range.first + index] : nullptr;
}

template <typename T>
std::vector<T> ReadAs(const core::Operand& operand) {
  const auto read = [&](auto sample) {
    using Element = decltype(sample);
    const size_t count = operand.length / sizeof(Element);
    std::vector<Element> raw(count);
    if (count > 0) std::memcpy(raw.data(), operand.buffer, count * sizeof(Element));
    return std::vector<T>(raw.begin(), raw.end());
  };
  switch (operand.type.precision) {
    case NNADAPTER_BOOL8:
    case NNADAPTER_UINT8:
      return read(uint8_t{});
    case NNADAPTER_INT8:
      return read(int8_t{});
    case NNADAPTER_INT32:
      return read(int32_t{});
    case NNADAPTER_INT64:
      return read(int64_t{});
    case NNADAPTER_FLOAT32:
      return read(float{});
    case NNADAPTER_FLOAT64:
      return read(double{});
    default:
      throw Error(NNADAPTER_INVALID_PARAMETER, std::string("a constant of ") +
                                                   PrecisionName(operand.type.precision) +
                                                   " where numbers are expected");
  }
}

}  // namespace

bool IsConstantOperand(const core::Operand& operand) {
  if (IsEmptyList(operand)) return true;
  return operand.buffer != nullptr && (operand.type.lifetime == NNADAPTER_CONSTANT_COPY ||
                                       operand.type.lifetime == NNADAPTER_CONSTANT_REFERENCE);
}

Range RangeOf(const std::vector<OperandInfo>& declared, size_t given, std::string_view name) {
  size_t repeated = declared.size();
  for (size_t i = 0; i < declared.size(); ++i)
    if (declared[i].repeated) repeated = i;
  const size_t extra =
      repeated < declared.size() && given + 1 > declared.size() ? given + 1 - declared.size() : 0;
  for (size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].name != name) continue;
    if (i == repeated) return {i, extra};
    const size_t at = i < repeated || repeated == declared.size() ? i : i - 1 + extra;
    return {at, at < given ? size_t{1} : size_t{0}};
  }
  throw Error(NNADAPTER_INVALID_PARAMETER, "no operand is called " + std::string(name));
}

std::vector<int64_t> ReadIntegers(const core::Operand& operand) { return ReadAs<int64_t>(operand); }

OperationView::OperationView(const OperationInfo& info, const core::Operation& operation)
    : info_(info), operation_(operation) {}

size_t OperationView::Count(std::string_view name) const {
  return RangeOf(info_.inputs(), operation_.input_operands.size(), name).count;
}

size_t OperationView::OutputCount(std::string_view name) const {
  return RangeOf(info_.outputs(), operation_.output_operands.size(), name).count;
}

bool OperationView::Declares(std::string_view name) const {
  for (const OperandInfo& operand : info_.inputs())
    if (operand.name == name) return true;
  return false;
}

core::Operand* OperationView::InputOrNull(std::string_view name, size_t index) const {
  return At(operation_.input_operands, info_.inputs(), name, index);
}

core::Operand* OperationView::OutputOrNull(std::string_view name, size_t index) const {
  return At(operation_.output_operands, info_.outputs(), name, index);
}

const core::Operand& OperationView::Operand(std::string_view name, size_t index) const {
  const core::Operand* operand = InputOrNull(name, index);
  if (operand == nullptr)
    throw Error(NNADAPTER_INVALID_PARAMETER,
                info_.name() + ": operand " + std::string(name) + " is missing");
  return *operand;
}

const NNAdapterOperandType& OperationView::Type(std::string_view name, size_t index) const {
  return Operand(name, index).type;
}

bool OperationView::IsConstant(std::string_view name) const {
  const core::Operand* operand = InputOrNull(name);
  return operand != nullptr && IsConstantOperand(*operand);
}

std::vector<int64_t> OperationView::Ints(std::string_view name) const {
  const core::Operand& operand = Operand(name, 0);
  if (!IsConstantOperand(operand))
    throw Error(NNADAPTER_INVALID_PARAMETER, info_.name() + ": operand " + std::string(name) +
                                                 " is computed, expected a constant");
  return ReadAs<int64_t>(operand);
}

std::vector<float> OperationView::Floats(std::string_view name) const {
  const core::Operand& operand = Operand(name, 0);
  if (!IsConstantOperand(operand))
    throw Error(NNADAPTER_INVALID_PARAMETER, info_.name() + ": operand " + std::string(name) +
                                                 " is computed, expected a constant");
  return ReadAs<float>(operand);
}

int64_t OperationView::Int(std::string_view name) const {
  const auto values = Ints(name);
  if (values.empty())
    throw Error(NNADAPTER_INVALID_PARAMETER,
                info_.name() + ": operand " + std::string(name) + " is empty");
  return values[0];
}

float OperationView::Float(std::string_view name) const {
  const auto values = Floats(name);
  if (values.empty())
    throw Error(NNADAPTER_INVALID_PARAMETER,
                info_.name() + ": operand " + std::string(name) + " is empty");
  return values[0];
}

bool OperationView::Bool(std::string_view name) const { return Int(name) != 0; }

namespace {

void FreeTemporaryShape(void** handler) {
  std::free(*handler);
  *handler = nullptr;
}

}  // namespace

std::string DimsText(const Dims& dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + (dims[i] == NNADAPTER_UNKNOWN ? "?" : std::to_string(dims[i]));
  return text + "]";
}

const NNAdapterOperandDimensionType* TemporaryShapeOf(const core::Operand& operand) {
  return static_cast<const NNAdapterOperandDimensionType*>(
      operand.hints[NNADAPTER_HINT_TEMPORARY_SHAPE].handler);
}

void SetTemporaryShape(core::Operand* operand, const NNAdapterOperandDimensionType& shape) {
  core::Hint& hint = operand->hints[NNADAPTER_HINT_TEMPORARY_SHAPE];
  if (hint.handler == nullptr) {
    hint.handler = std::malloc(sizeof(shape));
    if (hint.handler == nullptr) throw std::bad_alloc();
    hint.deleter = &FreeTemporaryShape;
  }
  std::memcpy(hint.handler, &shape, sizeof(shape));
  if (operand->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE)
    operand->type.lifetime = NNADAPTER_TEMPORARY_SHAPE;
}

size_t PrecisionSize(int32_t precision) { return hal::DescribePrecision(precision).size; }

bool IsQuantized(int32_t precision) {
  return precision >= NNADAPTER_QUANT_INT8_SYMM_PER_LAYER &&
         precision <= NNADAPTER_QUANT_UINT32_ASYMM_PER_LAYER;
}

const char* PrecisionName(int32_t precision) {
  const char* name = hal::DescribePrecision(precision).name;
  return name != nullptr ? name : "of an unknown precision";
}

}  // namespace nnadapter::runtime
