#include "lite/core/graph.h"

#include "lite/core/truth.h"

namespace paddle::lite {

ValueId Graph::AddValue(std::string name) {
  values.push_back({std::move(name), nullptr});
  return static_cast<ValueId>(values.size()) - 1;
}

ValueId Graph::AddConstant(std::string name, Tensor tensor) {
  const ValueId id = AddValue(std::move(name));
  tensor = WithPlainTruth(std::move(tensor));
  tensor.set_persistable(true);
  values.back().constant = std::make_unique<Tensor>(std::move(tensor));
  return id;
}

void Graph::Finish() {
  reader_count.assign(values.size(), 0);
  for (const OpLite& op : ops)
    for (const auto& slot : op.inputs())
      for (const ValueId value : slot) ++reader_count[static_cast<size_t>(value)];
  for (const ValueId value : outputs) ++reader_count[static_cast<size_t>(value)];
}

}  // namespace paddle::lite
