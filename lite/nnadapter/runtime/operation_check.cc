#include <limits>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operation_internal.h"

namespace nnadapter::runtime {
namespace {

const char* KindText(OperandKind kind) {
  switch (kind) {
    case OperandKind::kInt:
      return "one int32 or int64";
    case OperandKind::kInts:
      return "int32 or int64 numbers";
    case OperandKind::kShape:
      return "int32 or int64 numbers";
    case OperandKind::kFloat:
      return "one float32";
    case OperandKind::kFloats:
      return "float32 numbers";
    case OperandKind::kBool:
      return "one bool8";
    case OperandKind::kTensor:
      break;
  }
  return "a tensor";
}

std::string SetText(PrecisionSet set) {
  std::string text;
  for (int code = 0; code < 64; ++code)
    if (set & PrecisionBit(code) && PrecisionSize(code) != 0)
      text += (text.empty() ? "" : ", ") + std::string(PrecisionName(code));
  return text;
}

[[noreturn]] void FailOperand(const OperationInfo& info, const OperandInfo& operand,
                              const std::string& text) {
  throw Error(NNADAPTER_INVALID_PARAMETER, info.name() + ": operand " + operand.name + " " + text);
}

void CheckConstant(const OperationInfo& info, const OperandInfo& declared,
                   const core::Operand& operand) {
  if (!IsConstantOperand(operand)) {
    if (declared.kind == OperandKind::kShape) return;
    FailOperand(info, declared,
                std::string("is computed, expected a constant: ") + KindText(declared.kind));
  }
  const size_t size = PrecisionSize(operand.type.precision);
  const bool one = declared.kind == OperandKind::kInt || declared.kind == OperandKind::kFloat ||
                   declared.kind == OperandKind::kBool;
  if (operand.length % size != 0 || (one && operand.length != size))
    FailOperand(
        info, declared,
        "has " + std::to_string(operand.length) + " bytes, expected " + KindText(declared.kind));
}

void CheckDimensions(const OperationInfo& info, const OperandInfo& declared,
                     const NNAdapterOperandDimensionType& dims) {
  if (dims.count > NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    FailOperand(info, declared, "has " + std::to_string(dims.count) + " dimensions, at most 8");
  const auto check = [&](const int32_t* data) {
    for (uint32_t i = 0; i < dims.count; ++i)
      if (data[i] < 0 && data[i] != NNADAPTER_UNKNOWN)
        FailOperand(info, declared, "has shape " + DimsText(Dims(data, data + dims.count)));
  };
  check(dims.data);
  for (uint32_t i = 0; i < dims.dynamic_count && i < NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS; ++i)
    check(dims.dynamic_data[i]);
}

// False where the type is not known yet.
bool CheckInput(const OperationInfo& info, const OperandInfo& declared,
                const core::Operand* operand) {
  if (operand == nullptr) {
    if (!declared.optional) FailOperand(info, declared, "is missing");
    return true;
  }
  if (static_cast<int32_t>(operand->type.precision) == NNADAPTER_UNKNOWN) return false;
  CheckDimensions(info, declared, operand->type.dimensions);
  const PrecisionSet set = declared.precisions;
  const int32_t precision = operand->type.precision;
  if (PrecisionSize(precision) == 0 || !(set & PrecisionBit(precision)))
    FailOperand(
        info, declared,
        std::string("is ") + PrecisionName(precision) + ", expected one of " + SetText(set));
  if (declared.kind != OperandKind::kTensor) CheckConstant(info, declared, *operand);
  return true;
}

void CheckCount(const OperationInfo& info, const std::vector<OperandInfo>& declared, size_t given,
                const char* side) {
  size_t least = declared.size(), most = declared.size();
  while (least > 0 && declared[least - 1].optional) --least;
  for (const OperandInfo& operand : declared)
    if (operand.repeated) most = std::numeric_limits<size_t>::max();
  if (given >= least && given <= most) return;
  throw Error(NNADAPTER_INVALID_PARAMETER, info.name() + " has " + std::to_string(given) + " " +
                                               side + " operands, expected " +
                                               std::to_string(least) +
                                               (most == least ? ""
                                                : most > 1000 ? " or more"
                                                              : " to " + std::to_string(most)));
}

// False where an input's type is not known yet.
bool CheckOperands(const OperationInfo& info, const core::Operation& operation) {
  CheckOperandCounts(info, operation.input_operands.size(), operation.output_operands.size());
  bool known = true;
  for (const OperandInfo& declared : info.inputs()) {
    const Range range = RangeOf(info.inputs(), operation.input_operands.size(), declared.name);
    if (range.count == 0 && !declared.optional) FailOperand(info, declared, "is missing");
    for (size_t i = 0; i < range.count; ++i)
      known &= CheckInput(info, declared, operation.input_operands[range.first + i]);
  }
  for (const OperandInfo& declared : info.outputs()) {
    const Range range = RangeOf(info.outputs(), operation.output_operands.size(), declared.name);
    if (range.count == 0 && !declared.optional) FailOperand(info, declared, "is missing");
    for (size_t i = 0; i < range.count; ++i)
      if (operation.output_operands[range.first + i] == nullptr && !declared.optional)
        FailOperand(info, declared, "is missing");
  }
  return known;
}

// How many candidates of dynamic dimensions the inputs have; those that have any must agree.
uint32_t CandidateCount(const OperationInfo& info, const core::Operation& operation) {
  uint32_t count = 0;
  const auto take = [&](uint32_t more) {
    if (more > NNADAPTER_MAX_SIZE_OF_DYNAMIC_DIMENSIONS ||
        (count != 0 && more != 0 && more != count))
      throw Error(NNADAPTER_INVALID_PARAMETER,
                  info.name() + ": inputs have " + std::to_string(count) + " and " +
                      std::to_string(more) + " candidate shapes, expected as many, at most 8");
    count = count == 0 ? more : count;
  };
  for (const core::Operand* operand : operation.input_operands) {
    if (operand == nullptr || IsConstantOperand(*operand)) continue;
    take(operand->type.dimensions.dynamic_count);
    const auto* shape = TemporaryShapeOf(*operand);
    if (shape != nullptr) take(shape->dynamic_count);
  }
  return count;
}

}  // namespace

void CheckOperandCounts(const OperationInfo& info, size_t inputs, size_t outputs) {
  CheckCount(info, info.inputs(), inputs, "input");
  CheckCount(info, info.outputs(), outputs, "output");
}

bool CheckAndInfer(core::Operation* operation) {
  const OperationInfo* info = OperationRegistry::Global().Find(operation->type);
  if (info == nullptr)
    throw Error(NNADAPTER_INVALID_PARAMETER,
                "there is no operation with code " + std::to_string(operation->type));
  if (!CheckOperands(*info, *operation)) return false;
  const uint32_t candidates = CandidateCount(*info, *operation);
  for (int candidate = -1; candidate < static_cast<int>(candidates); ++candidate) {
    InferContext context(*info, operation, candidate);
    info->Infer(context);
  }
  return true;
}

}  // namespace nnadapter::runtime
