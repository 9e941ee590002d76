// What must hold of a whole model before it can be compiled.
#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

#include "lite/nnadapter/runtime/error.h"
#include "lite/nnadapter/runtime/model.h"
#include "lite/nnadapter/runtime/operand_type.h"
#include "lite/nnadapter/runtime/operation.h"

namespace nnadapter::runtime {
namespace {

// How operands are used: who writes one, who reads it. Operations by number.
class OperandUses {
 public:
  explicit OperandUses(const core::Model& model) {
    for (const core::Operand& operand : model.operands) {
      const size_t number = numbers_.size();
      numbers_.emplace(&operand, number);
    }
    writer_.assign(numbers_.size(), -1);
    readers_.resize(numbers_.size());
    int index = 0;
    for (const core::Operation& operation : model.operations) {
      operations_.push_back(&operation);
      for (const core::Operand* operand : operation.input_operands)
        if (operand) readers_[NumberOf(operand)].push_back(index);
      for (const core::Operand* operand : operation.output_operands)
        if (operand) SetWriter(operand, index);
      ++index;
    }
  }

  size_t NumberOf(const core::Operand* operand) const { return numbers_.at(operand); }
  int writer(const core::Operand* operand) const { return writer_[NumberOf(operand)]; }
  const std::vector<int>& readers(const core::Operand* operand) const {
    return readers_[NumberOf(operand)];
  }
  std::string Name(int operation) const {
    return Text(OperationName(operations_[operation]->type), " (operation ", operation, ")");
  }
  const std::vector<const core::Operation*>& operations() const { return operations_; }

 private:
  void SetWriter(const core::Operand* operand, int index) {
    int& writer = writer_[NumberOf(operand)];
    if (writer >= 0) {
      FailParameter("operand ", NumberOf(operand), " is written twice: by ", Name(writer),
                    " and by ", Name(index));
    }
    writer = index;
  }

  std::unordered_map<const core::Operand*, size_t> numbers_;
  std::vector<int> writer_;
  std::vector<std::vector<int>> readers_;
  std::vector<const core::Operation*> operations_;
};

void CheckOperandUse(const core::Model& model, const OperandUses& uses) {
  std::unordered_map<const core::Operand*, bool> identified;
  for (const core::Operand* operand : model.input_operands) identified[operand] = true;
  for (const core::Operand* operand : model.output_operands) identified[operand] = true;
  for (const core::Operand& operand : model.operands) {
    const size_t number = uses.NumberOf(&operand);
    const int writer = uses.writer(&operand);
    const bool read = !uses.readers(&operand).empty();
    const int32_t lifetime = LifetimeOf(operand.type);
    if (writer < 0 && !read && !identified.count(&operand)) continue;
    if (IsConstant(operand)) {
      if (!operand.buffer) FailParameter("constant operand ", number, " has no value");
      if (writer >= 0)
        FailParameter("constant operand ", number, " is written by ", uses.Name(writer));
      continue;
    }
    const bool input = lifetime == NNADAPTER_MODEL_INPUT;
    const bool output = lifetime == NNADAPTER_MODEL_OUTPUT;
    if ((input || output) && !identified.count(&operand)) {
      FailParameter("operand ", number, " is declared as an ", input ? "input" : "output",
                    " of the model, but not identified as one");
    }
    if (input && writer >= 0) {
      FailParameter("operand ", number, ", an input of the model, is written by ",
                    uses.Name(writer));
    }
    if (!input && writer < 0) {
      if (output) FailParameter("operand ", number, ", an output of the model, is never written");
      FailParameter("operand ", number, " is read by ", uses.Name(uses.readers(&operand).front()),
                    " and never written: it is no constant and no input of the model");
    }
  }
}

// Readiness, lowest number first: a model whose operations stand in order keeps it.
std::vector<size_t> Sort(const core::Model& model, const OperandUses& uses) {
  const size_t count = uses.operations().size();
  std::vector<size_t> missing(count, 0);
  for (const core::Operand& operand : model.operands) {
    if (uses.writer(&operand) < 0) continue;
    for (int reader : uses.readers(&operand)) ++missing[reader];
  }
  std::priority_queue<size_t, std::vector<size_t>, std::greater<size_t>> ready;
  for (size_t i = 0; i < count; ++i)
    if (missing[i] == 0) ready.push(i);
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t index = ready.top();
    ready.pop();
    order.push_back(index);
    for (const core::Operand* operand : uses.operations()[index]->output_operands) {
      if (!operand) continue;
      for (int reader : uses.readers(operand))
        if (--missing[reader] == 0) ready.push(static_cast<size_t>(reader));
    }
  }
  if (order.size() == count) return order;
  std::string names;
  int named = 0;
  for (size_t i = 0; i < count && named < 8; ++i) {
    if (missing[i] == 0) continue;
    names += (named++ ? ", " : "") + uses.Name(static_cast<int>(i));
  }
  FailParameter("the model has a cycle; it holds or precedes ", names);
}

}  // namespace

std::vector<size_t> CheckStructure(const core::Model& model) {
  const OperandUses uses(model);
  CheckOperandUse(model, uses);
  return Sort(model, uses);
}

std::unordered_set<const core::Operand*> TouchedOperands(const core::Model& model) {
  std::unordered_set<const core::Operand*> touched;
  const auto touch = [&](const std::vector<core::Operand*>& operands) {
    touched.insert(operands.begin(), operands.end());
  };
  for (const core::Operation& operation : model.operations) {
    touch(operation.input_operands);
    touch(operation.output_operands);
  }
  touch(model.input_operands);
  touch(model.output_operands);
  return touched;
}

void CheckTypes(const core::Model& model) {
  const auto touched = TouchedOperands(model);
  size_t number = 0;
  for (const core::Operand& operand : model.operands) {
    if (touched.count(&operand) == 0) {
      ++number;
      continue;
    }
    const size_t size = PrecisionSize(PrecisionOf(operand.type));
    try {
      CheckType(operand.type, /*scales_readable=*/true);
      if (size == 0) FailParameter("the precision is not known");
      if (IsConstant(operand)) {
        const int64_t count = ElementCount(operand.type.dimensions);
        if (count < 0 || static_cast<uint64_t>(count) * size != operand.length) {
          FailParameter(operand.length, " bytes for a constant of type ", TypeText(operand.type));
        }
      }
    } catch (const Error& error) {
      FailParameter("operand ", number, ": ", error.what());
    }
    ++number;
  }
}

}  // namespace nnadapter::runtime
