// `conditional_block`: runs its block or not. What the block writes and nothing wrote before has no
// value where it did not run; `select_input` then takes the other branch's.
#include <algorithm>
#include <mutex>

#include "lite/core/base/errors.h"
#include "lite/core/infer_context.h"
#include "lite/core/op_registry.h"
#include "lite/kernels/control_flow/body.h"

namespace paddle::lite {
namespace {

class ConditionalBlock final : public BlockOp {
 public:
  explicit ConditionalBlock(const BlockOpSource& source) : body_(source, "Input") {
    const auto found = source.op.attrs.find("is_scalar_condition");
    const bool* scalar =
        found == source.op.attrs.end() ? nullptr : std::get_if<bool>(&found->second);
    is_scalar_ = scalar != nullptr && *scalar;
  }

  void Run(const std::vector<std::vector<const Tensor*>>& inputs,
           const std::vector<std::vector<Tensor*>>& outputs, int threads) override {
    const std::lock_guard<ForkSafeMutex> lock(mutex_);
    if (!Taken(inputs.at(1))) return body_.PassThrough(inputs.at(0), outputs.at(0));
    std::vector<Tensor> results;
    body_.Run(inputs.at(0), &results, threads);
    for (size_t i = 0; i < results.size(); ++i) *outputs.at(0)[i] = std::move(results[i]);
  }

  bool Writes(const std::string&) const override { return true; }
  void ForEach(const std::function<void(const BlockOp&)>& visit) const override {
    visit(*this);
    body_.ForEach(visit);
  }

 private:
  bool Taken(const std::vector<const Tensor*>& conditions) const {
    if (is_scalar_) return Decision(*conditions.at(0));
    return std::all_of(conditions.begin(), conditions.end(), [](const Tensor* condition) {
      return condition->has_value() && condition->numel() != 0;
    });
  }

  ForkSafeMutex mutex_;
  Body body_;
  bool is_scalar_ = false;
};

std::shared_ptr<BlockOp> MakeConditionalBlock(const BlockOpSource& source) {
  return std::make_shared<ConditionalBlock>(source);
}

#define REGISTER_CONDITIONAL_BLOCK(type)                    \
  REGISTER_LITE_OP(type)                                    \
      .OptionalInputs("Input")                              \
      .Inputs("Cond")                                       \
      .OptionalOutputs("Out")                               \
      .RequiredAttr<int32_t>("sub_block")                   \
      .Attr<bool>("is_scalar_condition", false)             \
      .InferShape([](InferContext&) { throw NeedsData(); }) \
      .DataDependent();                                     \
  [[maybe_unused]] const bool type##_registered =           \
      RegisterBlockOp(#type, {&MakeConditionalBlock, false, "Input"})

REGISTER_CONDITIONAL_BLOCK(conditional_block);
REGISTER_CONDITIONAL_BLOCK(conditional_block_infer);

}  // namespace
}  // namespace paddle::lite
