#include "lite/kernels/control_flow/body.h"

#include <algorithm>
#include <cstring>

#include "lite/core/base/errors.h"
#include "lite/core/graph.h"
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

// Copies into memory that `to` has, where it is large enough.
void Keep(const Tensor& from, Tensor* to) {
  if (from.list() != nullptr || !from.has_data()) {
    *to = from;
    return;
  }
  to->Allocate(from.dims(), from.dtype());
  to->set_lod(from.lod());
  if (const size_t bytes = from.memory_size()) std::memcpy(to->raw_data(), from.raw_data(), bytes);
}

}  // namespace

Body::Body(const BlockOpSource& source, const char* slot)
    : outputs_(source.op.outputs.at("Out")), program_(source.body, &scope_.NewScope()) {
  const std::vector<std::string>& inputs = source.op.inputs.at(slot);
  for (const std::string& name : outputs_) {
    const auto found = std::find(inputs.begin(), inputs.end(), name);
    input_of_.push_back(found == inputs.end() ? -1 : static_cast<int>(found - inputs.begin()));
  }
}

void Body::Run(const std::vector<const Tensor*>& variables, std::vector<Tensor>* results,
               int threads) {
  std::vector<Tensor*> in, out;
  for (const Tensor* variable : variables) in.push_back(const_cast<Tensor*>(variable));
  std::vector<Tensor> written(outputs_.size());
  for (Tensor& tensor : written) out.push_back(&tensor);
  program_.Run(in, out, threads);
  // The memory is the program's, which the next run writes.
  results->resize(written.size());
  for (size_t i = 0; i < written.size(); ++i) Keep(written[i], &(*results)[i]);
}

void Body::PassThrough(const std::vector<const Tensor*>& variables,
                       const std::vector<Tensor*>& results) const {
  for (size_t i = 0; i < results.size(); ++i) {
    *results[i] = Tensor();
    if (input_of_[i] >= 0) Keep(*variables[static_cast<size_t>(input_of_[i])], results[i]);
  }
}

void Body::ForEach(const std::function<void(const BlockOp&)>& visit) const {
  for (const auto& [index, op] : program_.graph().block_ops) op->ForEach(visit);
}

bool Decision(const Tensor& condition) {
  if (condition.list() != nullptr || !condition.has_value())
    throw LiteError("the condition has no value");
  return OneInteger(condition, "the condition") != 0;
}

}  // namespace paddle::lite
