// BlockShapes: what follows from the shapes of a block's inputs, operator by operator.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lite/core/op_lite.h"
#include "lite/core/program_desc.h"
#include "lite/core/tensor.h"

namespace paddle::lite::nnadapter_bridge {

class BlockShapes {
 public:
  // `counted`: types of operators that may be arithmetic on shapes, whose results are computed
  // where they are few numbers that follow from shapes and from what is known.
  explicit BlockShapes(std::set<std::string> counted = {}) : counted_(std::move(counted)) {}

  // What the block is fed and the parameters, which must outlive this. False where a shape is not
  // complete: `shapes` come before what `vars` declare, in which -1 is unknown.
  bool SetInputs(const BlockDesc& block, const std::map<std::string, const VarDesc*>& vars,
                 const std::map<std::string, Tensor>& params,
                 const std::map<std::string, std::vector<int64_t>>& shapes);
  // `data` must outlive this; null where the elements are not known.
  void Set(const std::string& name, TensorMeta meta, const Tensor* data = nullptr);
  // Null where nothing is known.
  const TensorMeta* Find(const std::string& name) const;
  // Null where the elements are not known.
  const Tensor* DataOf(const std::string& name) const;
  // Shapes of an operator's outputs; nothing is known of those that depend on data. False where
  // something is missing or the operator refuses it: the outputs are what they were.
  bool Infer(const OpDesc& op);
  // The same, but then nothing is known of the outputs.
  void InferOrForget(const OpDesc& op);

 private:
  struct Variable {
    bool known = false;
    TensorMeta meta;
    const Tensor* data = nullptr;
  };

  ValueId IdOf(const std::string& name);
  OpLite::Slots IdsOf(const std::map<std::string, std::vector<std::string>>& slots);
  void Compute(const OpLite& op);

  const std::set<std::string> counted_;
  std::map<std::string, ValueId> ids_;
  std::vector<Variable> variables_;
  std::deque<Tensor> computed_;
};

}  // namespace paddle::lite::nnadapter_bridge
