// Whether devices take the operations of a model: each is converted alone and shown to them.
#include <memory>

#include "lite/nnadapter/nnapi/network.h"
#include "lite/nnadapter/nnapi/table.h"
#include "nnadapter/extensions.h"

namespace nnadapter::nnapi {
namespace {

using Shapes = std::map<uint32_t, Dims>;

// What stands for unknown dimensions: conversions need complete shapes.
constexpr uint32_t kSamples[] = {2, 1, 4, 8, 16};

Dims Sampled(const OperandType& type, const Shapes& shapes, uint32_t operand, uint32_t sample) {
  if (!IsTensor(type.code)) return {};
  const auto known = shapes.find(operand);
  Dims dims = known == shapes.end() ? type.dims : known->second;
  if (dims.empty()) dims.assign(sample == 2 || sample == 8 ? 4 : 2, 0);  // an unknown rank
  for (uint32_t& extent : dims)
    if (extent == 0) extent = sample;
  return dims;
}

bool Complete(const Model& model, const Operation& operation, const Shapes& shapes) {
  for (uint32_t index : operation.inputs) {
    const Operand& operand = model.operands()[index];
    if (operand.lifetime == Lifetime::kConstant || operand.lifetime == Lifetime::kLeftOut) continue;
    if (!IsShapeKnown(operand.type) && !shapes.count(index)) return false;
  }
  return true;
}

std::string AskDevices(const Translated& made, const Context& context) {
  const auto supported = std::make_unique<bool[]>(made.operations);
  if (NNAdapterModel_getSupportedOperations(made.model, context.handle(), supported.get()) !=
      NNADAPTER_NO_ERROR)
    return NNAdapter_getLastErrorMessage();
  for (size_t i = 0; i < made.operations; ++i) {
    if (supported[i]) continue;
    const char* reason = "";
    NNAdapterModel_getRefusal(static_cast<uint32_t>(i), &reason);
    return Text("the devices do not take it: ", reason);
  }
  return "";
}

// Why an operation is refused, if it is, and whether a device does it.
struct Answer {
  std::string reason;
  bool device = false;
};

Answer TryWith(const Model& model, const Operation& operation, const Context& context,
               uint32_t sample, Shapes* shapes) {
  std::vector<InputShape> inputs;
  for (uint32_t index : std::set<uint32_t>(operation.inputs.begin(), operation.inputs.end())) {
    const Operand& operand = model.operands()[index];
    if (operand.lifetime == Lifetime::kConstant || operand.lifetime == Lifetime::kLeftOut) continue;
    inputs.push_back({index, Sampled(operand.type, *shapes, index, sample), nullptr, false});
  }
  try {
    const bool complete = Complete(model, operation, *shapes);
    Translation translation(model, inputs);
    translation.Convert(operation);
    const Translated made = translation.Finish(operation.outputs);
    for (size_t o = 0; complete && o < operation.outputs.size(); ++o)
      (*shapes)[operation.outputs[o]] = made.outputs[o].type.dims;
    return {made.model ? AskDevices(made, context) : "", true};
  } catch (const Refused& refused) {
    return {refused.reason, false};
  } catch (const NeedsValue&) {
    return {};  // it is converted when its numbers are there
  } catch (const Error& error) {
    return {error.what(), false};
  }
}

std::string RefusalOf(const Model& model, const Operation& operation, const Context& context,
                      Shapes* shapes) {
  if (IsControlFlow(operation.code)) {
    for (uint32_t index : operation.inputs) {
      const Model* child = model.operands()[index].model.get();
      if (!child) continue;
      for (const std::string& reason : Refusals(*child, context))
        if (!reason.empty()) return reason;
    }
    return "";
  }
  if (!FindConverter(operation.code)) return "NNAdapter has no counterpart of it";
  // With complete shapes the first answer is the answer. Else what counts is what devices say of
  // dimensions that can be converted; where none can, the true ones may well do.
  if (Complete(model, operation, *shapes))
    return TryWith(model, operation, context, 1, shapes).reason;
  std::string reason;
  for (uint32_t sample : kSamples) {
    const Answer answer = TryWith(model, operation, context, sample, shapes);
    if (answer.reason.empty()) return "";
    if (answer.device) reason = answer.reason;
  }
  return reason;
}

}  // namespace

std::vector<std::string> Refusals(const Model& model, const Context& context) {
  Shapes shapes;
  std::vector<std::string> reasons;
  for (const Operation& operation : model.operations()) {
    std::string reason = RefusalOf(model, operation, context, &shapes);
    if (!reason.empty()) reason = Text(FindOperation(operation.code)->name, ": ", reason);
    reasons.push_back(std::move(reason));
  }
  return reasons;
}

}  // namespace nnadapter::nnapi
