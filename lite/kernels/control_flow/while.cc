// `while`: runs its block as long as Condition, which the block writes, is true.
#include <algorithm>
#include <mutex>

#include "lite/core/base/errors.h"
#include "lite/core/infer_context.h"
#include "lite/core/op_registry.h"
#include "lite/kernels/control_flow/body.h"
#include "lite/kernels/control_flow/loop_limit.h"

namespace paddle::lite {
namespace {

class While final : public BlockOp {
 public:
  explicit While(const BlockOpSource& source) : body_(source, "X") {
    const auto condition = source.op.inputs.find("Condition");
    if (condition == source.op.inputs.end() || condition->second.size() != 1)
      throw ModelFormatError("a while operator needs one variable in Condition");
    const auto& outputs = body_.outputs();
    const auto found = std::find(outputs.begin(), outputs.end(), condition->second[0]);
    if (found == outputs.end())
      throw ModelFormatError(StrCat("nothing in the loop's block writes its condition '",
                                    condition->second[0], "': the loop would not end"));
    condition_ = static_cast<size_t>(found - outputs.begin());
  }

  void Run(const std::vector<std::vector<const Tensor*>>& inputs,
           const std::vector<std::vector<Tensor*>>& outputs, int threads) override {
    const std::lock_guard<ForkSafeMutex> lock(mutex_);
    std::vector<const Tensor*> variables = inputs.at(0);
    if (!Decision(*inputs.at(1).at(0))) return body_.PassThrough(variables, outputs.at(0));
    std::vector<Tensor> current, next;
    LoopBudget budget;
    do {
      budget.Spend();
      body_.Run(variables, &next, threads);
      std::swap(current, next);
      for (size_t i = 0; i < current.size(); ++i)
        if (body_.InputOf(i) >= 0) variables[static_cast<size_t>(body_.InputOf(i))] = &current[i];
    } while (Decision(current[condition_]));
    for (size_t i = 0; i < current.size(); ++i) *outputs.at(0)[i] = std::move(current[i]);
  }

  bool Writes(const std::string&) const override { return true; }
  void ForEach(const std::function<void(const BlockOp&)>& visit) const override {
    visit(*this);
    body_.ForEach(visit);
  }

 private:
  ForkSafeMutex mutex_;
  Body body_;
  size_t condition_ = 0;  // position among the outputs
};

std::shared_ptr<BlockOp> MakeWhile(const BlockOpSource& source) {
  return std::make_shared<While>(source);
}

REGISTER_LITE_OP(while)
    .OptionalInputs("X")
    .Input("Condition")
    .OptionalOutputs("Out")
    .RequiredAttr<int32_t>("sub_block")
    .InferShape([](InferContext&) { throw NeedsData(); })
    .DataDependent();

[[maybe_unused]] const bool registered = RegisterBlockOp("while", {&MakeWhile, false, "X"});

}  // namespace
}  // namespace paddle::lite
