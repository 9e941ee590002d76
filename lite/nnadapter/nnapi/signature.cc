#include "lite/nnadapter/nnapi/signature.h"

#include <array>

#include "lite/nnadapter/nnapi/table.h"

namespace nnadapter::nnapi {
namespace {

constexpr size_t kMaxVariables = 8;

class Matcher {
 public:
  explicit Matcher(const std::vector<Operand>& operands) : operands_(operands) { bound_.fill(-1); }

  // Whether the operands from `required` words on may end early.
  bool Match(const std::vector<Word>& words, size_t required, const std::vector<uint32_t>& given) {
    size_t at = 0;
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i].repeated) {
        const size_t behind = words.size() - i - 1;
        if (given.size() < at + behind) return false;
        const size_t end = given.size() - behind;
        if (at == end && words[i].variable > 0) return false;
        for (; at < end; ++at)
          if (!Fits(words[i], given[at])) return false;
      } else if (at == given.size()) {
        return i >= required;
      } else if (!Fits(words[i], given[at++])) {
        return false;
      }
    }
    return at == given.size();
  }

 private:
  bool Fits(const Word& word, uint32_t index) {
    const int32_t code = operands_[index].type.code;
    if (!(word.types >> code & 1)) return false;
    if (word.variable == 0) return true;
    int32_t& bound = bound_.at(word.variable);
    if (bound < 0) bound = code;
    return bound == code;
  }

  const std::vector<Operand>& operands_;
  std::array<int32_t, kMaxVariables> bound_;
};

std::string Types(const std::vector<uint32_t>& indices, const std::vector<Operand>& operands) {
  std::string text;
  for (uint32_t index : indices)
    text += (text.empty() ? "" : ", ") + std::string(OperandCodeName(operands[index].type.code));
  return "(" + text + ")";
}

}  // namespace

void CheckSignature(const Operation& operation, const std::vector<Operand>& operands) {
  const OperationInfo* info = FindOperation(operation.code);
  if (!info) FailData("there is no operation ", operation.code);
  for (const Signature& signature : info->signatures) {
    Matcher matcher(operands);
    if (matcher.Match(signature.inputs, signature.required, operation.inputs) &&
        matcher.Match(signature.outputs, signature.outputs.size(), operation.outputs))
      return;
  }
  FailData(info->name, " does not take ", Types(operation.inputs, operands), " -> ",
           Types(operation.outputs, operands), "; see docs/generated/nnapi_operations.md");
}

}  // namespace nnadapter::nnapi
