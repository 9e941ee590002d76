// The registry of operations as JSON, for Python and for generated documents. Not part of the C
// API: nnadapter.h does not declare it.
#include <string>

#include "lite/nnadapter/runtime/json.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

const char* KindName(OperandKind kind) {
  switch (kind) {
    case OperandKind::kInt:
      return "int";
    case OperandKind::kInts:
      return "ints";
    case OperandKind::kFloat:
      return "float";
    case OperandKind::kFloats:
      return "floats";
    case OperandKind::kBool:
      return "bool";
    case OperandKind::kShape:
      return "shape";
    case OperandKind::kTensor:
      break;
  }
  return "tensor";
}

std::string OperandsJson(const std::vector<OperandInfo>& operands) {
  std::string json = "[";
  for (const OperandInfo& operand : operands) {
    std::string precisions;
    for (int code = 0; code < 64; ++code)
      if ((operand.precisions & PrecisionBit(code)) != 0 && PrecisionSize(code) != 0)
        precisions += (precisions.empty() ? "" : ",") + std::to_string(code);
    json += json.size() > 1 ? ",{" : "{";
    json += "\"name\":" + Quoted(operand.name) + ",\"kind\":" + Quoted(KindName(operand.kind)) +
            ",\"precisions\":[" + precisions +
            "],\"optional\":" + (operand.optional ? "true" : "false") +
            ",\"repeated\":" + (operand.repeated ? "true" : "false") +
            ",\"doc\":" + Quoted(operand.doc) + "}";
  }
  return json + "]";
}

std::string RegistryJson() {
  std::string json = "[";
  for (const OperationInfo* info : OperationRegistry::Global().All()) {
    if (json.size() > 1) json += ",\n";
    json += "{\"code\":" + std::to_string(info->code()) + ",\"name\":" + Quoted(info->name()) +
            ",\"doc\":" + Quoted(info->doc()) + ",\"inputs\":" + OperandsJson(info->inputs()) +
            ",\"outputs\":" + OperandsJson(info->outputs()) + "}";
  }
  return json + "]";
}

}  // namespace
}  // namespace nnadapter::runtime

// A JSON list that lives as long as the process; null where memory is short.
extern "C" __attribute__((visibility("default"))) const char* NNAdapter_describeOperations() {
  try {
    static const auto* json = new std::string(nnadapter::runtime::RegistryJson());
    return json->c_str();
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
