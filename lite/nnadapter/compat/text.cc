#include <cstdarg>
#include <cstdio>
#include <unordered_map>

#include "lite/nnadapter/compat/compat.h"
#include "nnadapter/hal/graph.h"

namespace nnadapter {
namespace {

std::string Known(const char* name) { return name ? name : "UNKNOWN"; }

std::string Address(const void* pointer) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%zx", reinterpret_cast<size_t>(pointer));
  return text;
}

// The first elements of a constant that can be read.
std::string Elements(const core::Operand& operand) {
  constexpr size_t kMost = 8;
  try {
    const std::vector<double> values = hal::Values<double>(operand);
    std::string text = "{";
    for (size_t i = 0; i < values.size() && i < kMost; ++i)
      text += (i ? "," : "") + hal::Text(values[i]);
    return text + (values.size() > kMost ? ",...}" : "}");
  } catch (const hal::Error&) {
    return "{...}";
  }
}

}  // namespace

std::string ResultCodeToString(NNAdapterResultCode code) {
  return Known(hal::ResultCodeName(code));
}

std::string DeviceCodeToString(NNAdapterDeviceCode code) {
  return Known(hal::DeviceTypeName(code));
}

std::string FuseCodeToString(NNAdapterFuseCode code) { return Known(hal::FuseCodeName(code)); }

std::string AutoPadCodeToString(NNAdapterAutoPadCode code) { return Known(hal::AutoPadName(code)); }

std::string OperandLayoutCodeToString(NNAdapterOperandLayoutCode code) {
  return Known(hal::LayoutName(code));
}

std::string OperandLifetimeCodeToString(NNAdapterOperandLifetimeCode code) {
  return Known(hal::LifetimeName(code));
}

std::string OperandPrecisionCodeToString(NNAdapterOperandPrecisionCode code) {
  return Known(hal::DescribePrecision(code).name);
}

std::string OperationTypeToString(NNAdapterOperationType type) {
  return Known(hal::OperationTypeName(type));
}

std::string DimensionsToString(const int32_t* dimensions, uint32_t count) {
  return hal::DimsText({dimensions, dimensions + count});
}

std::string OperandTypeToString(NNAdapterOperandType* type) {
  if (!type) return "NULL";
  return hal::Text(hal::Describe(*type), " ", OperandLayoutCodeToString(type->layout), " ",
                   OperandLifetimeCodeToString(type->lifetime));
}

std::string OperandIdToString(core::Operand* operand) {
  return operand ? Address(operand) : "NULL";
}

std::string OperationIdToString(core::Operation* operation) {
  return operation ? Address(operation) : "NULL";
}

std::string OperandValueToString(core::Operand* operand) {
  if (!operand) return "NULL";
  return OperandIdToString(operand) + (hal::IsConstant(*operand) ? Elements(*operand) : "");
}

std::string OperandToString(core::Operand* operand) {
  if (!operand) return "NULL";
  return hal::Text("id: ", Address(operand), " type: ", OperandTypeToString(&operand->type),
                   " buffer: ", Address(operand->buffer), " length: ", operand->length);
}

std::string string_format(const std::string format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format.c_str(), arguments);
  std::string text(size > 0 ? size + 1 : 1, '\0');
  std::vsnprintf(&text[0], text.size(), format.c_str(), again);
  va_end(again);
  va_end(arguments);
  text.pop_back();
  return text;
}

std::string Visualize(core::Model* model) {
  std::string text = "digraph G {\n";
  if (!model) return text + "}\n";
  std::unordered_map<const core::Operand*, size_t> numbers;
  const auto node = [&](const core::Operand* operand) {
    const auto [at, is_new] = numbers.emplace(operand, numbers.size());
    if (is_new)
      text += hal::Text("  v", at->second, " [label=\"", hal::Describe(operand->type), "\"]\n");
    return hal::Text("v", at->second);
  };
  size_t number = 0;
  for (const core::Operation& operation : model->operations) {
    const std::string name = hal::Text("o", number++);
    text += hal::Text("  ", name, " [shape=box style=filled fillcolor=yellow label=\"",
                      OperationTypeToString(operation.type), "\"]\n");
    for (size_t i = 0; i < operation.input_operands.size(); ++i) {
      if (!operation.input_operands[i]) continue;
      const std::string from = node(operation.input_operands[i]);
      text += hal::Text("  ", from, " -> ", name, " [label=", i, "]\n");
    }
    for (size_t i = 0; i < operation.output_operands.size(); ++i) {
      if (!operation.output_operands[i]) continue;
      const std::string to = node(operation.output_operands[i]);
      text += hal::Text("  ", name, " -> ", to, " [label=", i, "]\n");
    }
  }
  return text + "}\n";
}

}  // namespace nnadapter
