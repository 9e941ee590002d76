#include "lite/nnadapter/runtime/declared_operations.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <unordered_map>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

std::string Trim(const std::string& text) {
  size_t begin = 0, end = text.size();
  while (begin < end && std::isspace(static_cast<unsigned char>(text[begin]))) ++begin;
  while (end > begin && std::isspace(static_cast<unsigned char>(text[end - 1]))) --end;
  if (end - begin >= 2 && (text[begin] == '"' || text[begin] == '\'') &&
      text[end - 1] == text[begin]) {
    ++begin;
    --end;
  }
  return text.substr(begin, end - begin);
}

NNAdapterOperationType CodeOf(const std::string& name) {
  constexpr const char kPrefix[] = "NNADAPTER_";
  const std::string bare =
      name.compare(0, sizeof(kPrefix) - 1, kPrefix) == 0 ? name.substr(sizeof(kPrefix) - 1) : name;
  for (const OperationInfo& info : OperationRegistry::Global().All())
    if (info.name() == bare) return info.code();
  FailParameter("no operation is called '", name, "'");
}

void AddNames(const std::string& list, std::set<NNAdapterOperationType>* codes) {
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = Trim(list.substr(begin, end - begin));
    if (!name.empty()) codes->insert(CodeOf(name));
    begin = end + 1;
  }
}

}  // namespace

std::set<NNAdapterOperationType> ParseOperationList(const std::string& list) {
  std::set<NNAdapterOperationType> codes;
  AddNames(list, &codes);
  if (codes.empty()) FailParameter("a list of operations without a name");
  return codes;
}

std::set<NNAdapterOperationType> ParseOperationYaml(const std::string& text) {
  constexpr const char kKey[] = "supported_operations:";
  std::set<NNAdapterOperationType> codes;
  bool in_list = false, in_brackets = false, found = false;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    line = line.substr(0, line.find('#'));
    const bool indented = !line.empty() && std::isspace(static_cast<unsigned char>(line[0]));
    line = Trim(line);
    if (line.empty()) continue;
    if (!in_brackets && line.compare(0, sizeof(kKey) - 1, kKey) == 0) {
      in_list = found = true;
      line = Trim(line.substr(sizeof(kKey) - 1));
      if (line.empty()) continue;
      if (line[0] != '[') FailParameter("expected [A, B] or lines '- A' after ", kKey);
      line = line.substr(1);
      in_brackets = true;
    }
    if (in_brackets) {
      const size_t close = line.find(']');
      AddNames(line.substr(0, close), &codes);
      if (close != std::string::npos) in_brackets = in_list = false;
    } else if (in_list && line[0] == '-') {
      codes.insert(CodeOf(Trim(line.substr(1))));
    } else if (in_list && indented) {
      FailParameter("expected '- NAME' in the list of ", kKey, " found '", line, "'");
    } else {
      in_list = false;
    }
  }
  if (in_brackets) FailParameter("the list of ", kKey, " has no closing bracket");
  if (!found) FailParameter("there is no key ", kKey);
  return codes;
}

namespace {

// Those whose drivers' passes turn it into another one that they convert, in the right place.
constexpr char kFuseBatchNorm[] = "ILMR";
constexpr char kFuseMatMul[] = "CELMR";
constexpr char kReplaceAdaptivePool[] = "V";

// Null for a device that no public HAL is named after.
const KnownDevice* Find(const std::string& device) {
  for (const KnownDevice& known : KnownDevices())
    if (device == known.name) return &known;
  return nullptr;
}

bool GivesFloats(const core::Operation& operation) {
  const auto is_float = [](const core::Operand* operand) {
    const int32_t precision = operand ? PrecisionOf(operand->type) : NNADAPTER_INT32;
    return precision == NNADAPTER_FLOAT16 || precision == NNADAPTER_FLOAT32 ||
           precision == NNADAPTER_FLOAT64;
  };
  return operation.type != NNADAPTER_DEQUANTIZE &&
         std::any_of(operation.output_operands.begin(), operation.output_operands.end(), is_float);
}

bool Converts(char device, NNAdapterOperationType operation) {
  const OperationInfo* info = OperationRegistry::Global().Find(operation);
  return info != nullptr && info->devices().find(device) != std::string::npos;
}

// Who writes and who reads each operand of a model.
struct Uses {
  explicit Uses(const core::Model& model) {
    for (const core::Operation& operation : model.operations) {
      for (const core::Operand* operand : operation.input_operands)
        if (operand) readers[operand].push_back(&operation);
      for (const core::Operand* operand : operation.output_operands)
        if (operand) writer[operand] = &operation;
    }
    for (const core::Operand* operand : model.output_operands) readers[operand].push_back(nullptr);
  }
  // The only operation that reads an operand; null where others, or the caller, do.
  const core::Operation* OnlyReader(const core::Operand* operand) const {
    const auto found = readers.find(operand);
    return found != readers.end() && found->second.size() == 1 ? found->second[0] : nullptr;
  }
  std::unordered_map<const core::Operand*, std::vector<const core::Operation*>> readers;
  std::unordered_map<const core::Operand*, const core::Operation*> writer;
};

const core::Operand* InputOf(const core::Operation& operation, size_t index) {
  return index < operation.input_operands.size() ? operation.input_operands[index] : nullptr;
}

bool FollowsConvolution(const core::Operation& operation, const Uses& uses) {
  const core::Operand* input = InputOf(operation, 0);
  const auto found = uses.writer.find(input);
  return found != uses.writer.end() && found->second->type == NNADAPTER_CONV_2D &&
         uses.OnlyReader(input) == &operation;
}

// A matrix that is known, and an addition of what is known behind it.
bool BecomesFullyConnected(const core::Operation& operation, const Uses& uses) {
  const core::Operand* matrix = InputOf(operation, 1);
  if (!matrix || !IsConstant(*matrix) || matrix->type.dimensions.count != 2) return false;
  const core::Operation* next =
      operation.output_operands.empty() ? nullptr : uses.OnlyReader(operation.output_operands[0]);
  if (!next || next->type != NNADAPTER_ADD) return false;
  const core::Operand *a = InputOf(*next, 0), *b = InputOf(*next, 1);
  return (a && IsConstant(*a)) || (b && IsConstant(*b));
}

// Each result covers as many rows and columns of the input.
bool DividesEvenly(const core::Operation& operation) {
  const core::Operand* input = InputOf(operation, 0);
  if (!input || operation.output_operands.empty() || !operation.output_operands[0]) return false;
  const NNAdapterOperandDimensionType& from = input->type.dimensions;
  const NNAdapterOperandDimensionType& to = operation.output_operands[0]->type.dimensions;
  if (from.count != 4 || to.count != 4) return false;
  for (int axis : {2, 3})
    if (from.data[axis] <= 0 || to.data[axis] <= 0 || from.data[axis] % to.data[axis] != 0)
      return false;
  return true;
}

bool Replaces(char device, const core::Operation& operation, const Uses& uses) {
  switch (operation.type) {
    case NNADAPTER_BATCH_NORMALIZATION:
      return std::strchr(kFuseBatchNorm, device) && FollowsConvolution(operation, uses);
    case NNADAPTER_MAT_MUL:
      return std::strchr(kFuseMatMul, device) && BecomesFullyConnected(operation, uses);
    case NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D:
    case NNADAPTER_ADAPTIVE_MAX_POOL_2D:
      return std::strchr(kReplaceAdaptivePool, device) && DividesEvenly(operation);
    default:
      return false;
  }
}

}  // namespace

bool IsKnownDevice(const std::string& name) { return Find(name) != nullptr; }

bool KnownDeviceRestoresWrongly(const std::string& name) {
  const KnownDevice* device = Find(name);
  return device != nullptr && device->restores_wrongly;
}

std::vector<std::string> KnownDeviceRefusals(const std::string& name, const core::Model& model) {
  const KnownDevice& device = *Find(name);
  const Uses uses(model);
  std::vector<std::string> refusals;
  for (const core::Operation& operation : model.operations) {
    if (!Converts(device.letter, operation.type) && !Replaces(device.letter, operation, uses))
      refusals.push_back("it is not in the public list of " + name);
    else if (device.integers_only && GivesFloats(operation))
      refusals.push_back(name + " computes quantised operations only, this one is in floats");
    else
      refusals.emplace_back();
  }
  return refusals;
}

}  // namespace nnadapter::runtime
