#include "lite/core/run_recorder.h"

#include <chrono>

namespace paddle::lite {
namespace {

// The operators that fold.
std::string_view ActName(math::Act act) {
  using math::Act;
  switch (act) {
    case Act::kNone:
      return "none";
    case Act::kRelu:
      return "relu";
    case Act::kRelu6:
      return "relu6";
    case Act::kLeakyRelu:
      return "leaky_relu";
    case Act::kHardSwish:
      return "hard_swish";
    case Act::kHardSigmoid:
      return "hard_sigmoid";
    case Act::kSigmoid:
      return "sigmoid";
    case Act::kSwish:
      return "swish";
    case Act::kTanh:
      return "tanh";
    case Act::kGelu:
    case Act::kGeluTanh:
      return "gelu";
    case Act::kAbs:
      return "abs";
    case Act::kExp:
      return "exp";
    case Act::kErf:
      return "erf";
    case Act::kSqrt:
      return "sqrt";
    case Act::kRsqrt:
      return "rsqrt";
    case Act::kSquare:
      return "square";
    case Act::kReciprocal:
      return "reciprocal";
    case Act::kElu:
      return "elu";
    case Act::kClip:
      return "clip";
    case Act::kAffine:
      return "scale";
    case Act::kSteps:
      return "fake_quantize_per_tensor_affine";
  }
  return "";
}

std::string_view StepName(const math::EpilogueStep& step) {
  using Step = math::EpilogueStep;
  switch (step.op) {
    case Step::kAct:
      return ActName(step.act.kind);
    case Step::kAdd:
      return "elementwise_add";
    case Step::kSub:
    case Step::kRsub:
      return "elementwise_sub";
    case Step::kMul:
      return "elementwise_mul";
    case Step::kDiv:
    case Step::kRdiv:
      return "elementwise_div";
    case Step::kMax:
      return "elementwise_max";
    case Step::kMin:
      return "elementwise_min";
    case Step::kPrelu:
      return "prelu";
  }
  return "";
}

TensorRecord Describe(std::string_view slot, const Tensor& tensor) {
  return {slot, tensor.dims(), tensor.dtype(), tensor.layout(), tensor.persistable()};
}

template <typename TensorPointer>
void Describe(const std::vector<SlotInfo>& slots,
              const std::vector<std::vector<TensorPointer>>& tensors,
              std::vector<TensorRecord>* records) {
  for (size_t s = 0; s < tensors.size(); ++s)
    for (const Tensor* tensor : tensors[s]) records->push_back(Describe(slots[s].name, *tensor));
}

OperatorRecord Describe(OperatorRecord::Kind kind, const OpLite& op,
                        const std::vector<std::vector<const Tensor*>>& inputs,
                        const std::vector<std::vector<Tensor*>>& outputs) {
  OperatorRecord record;
  record.kind = kind;
  record.type = op.type();
  record.where = op.where();
  Describe(op.info().inputs(), inputs, &record.inputs);
  Describe(op.info().outputs(), outputs, &record.outputs);
  return record;
}

void SetKernel(const KernelInfo& info, OperatorRecord* record) {
  record->precision = info.precision;
  record->layout = info.layout;
  record->alias = info.alias;
}

}  // namespace

int64_t NowNs() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

bool OperatorRecord::operator==(const OperatorRecord& o) const {
  return kind == o.kind && type == o.type && where == o.where && precision == o.precision &&
         layout == o.layout && alias == o.alias && inputs == o.inputs && outputs == o.outputs &&
         steps == o.steps && std::string_view(choice.algorithm) == o.choice.algorithm &&
         choice.reason == o.choice.reason;
}

int RunRecorder::Intern(const void* address, OperatorRecord record) {
  const auto [begin, end] = known_.equal_range(address);
  for (auto it = begin; it != end; ++it)
    if (records_[static_cast<size_t>(it->second)] == record) return it->second;
  records_.push_back(std::move(record));
  const int index = static_cast<int>(records_.size()) - 1;
  known_.emplace(address, index);
  return index;
}

Observation::Observation(RunRecorder* recorder) : recorder_(*recorder), outer_(recorder->open_) {
  if (recorder_.events_.size() == RunRecorder::kMaxEvents) {
    ++recorder_.dropped_;
    return;
  }
  event_ = static_cast<int>(recorder_.events_.size());
  recorder_.events_.push_back({-1, outer_, 0, 0});
  recorder_.open_ = event_;
  recorder_.events_.back().start_ns = NowNs();
}

Observation::~Observation() { recorder_.open_ = outer_; }

void Observation::End() {
  if (event_ >= 0) recorder_.events_[static_cast<size_t>(event_)].end_ns = NowNs();
}

void Observation::Keep(const void* address, OperatorRecord record) {
  const int index = recorder_.Intern(address, std::move(record));
  recorder_.events_[static_cast<size_t>(event_)].record = index;
}

void Observation::Done(OperatorRecord::Kind kind) {
  End();
  if (event_ < 0) return;
  OperatorRecord record;
  record.kind = kind;
  Keep(nullptr, std::move(record));
}

void Observation::Done(OperatorRecord::Kind kind, const OpLite& op,
                       const std::vector<std::vector<const Tensor*>>& inputs,
                       const std::vector<std::vector<Tensor*>>& outputs) {
  End();
  if (event_ < 0) return;
  OperatorRecord record = Describe(kind, op, inputs, outputs);
  const std::vector<TensorRecord>& first =
      inputs.empty() || inputs[0].empty() ? record.outputs : record.inputs;
  if (kind == OperatorRecord::Kind::kOperator && !first.empty()) {
    const KernelInfo* info = KernelRegistry::Global().Find(op.type(), ToPrecision(first[0].dtype),
                                                           DataLayoutType::kNCHW);
    if (info != nullptr) SetKernel(*info, &record);
  }
  Keep(&op, std::move(record));
}

void Observation::Done(const KernelInfo& info, const KernelBase& kernel, KernelContext& context) {
  End();
  if (event_ < 0) return;
  OperatorRecord record =
      Describe(OperatorRecord::Kind::kOperator, context.op(), context.inputs(), context.outputs());
  SetKernel(info, &record);
  if (const auto* explains = dynamic_cast<const ExplainsChoice*>(&kernel))
    record.choice = explains->Choice(context);
  for (const FusedStep& fused : context.fused()) {
    record.steps.push_back(StepName(fused.step));
    if (fused.operand != nullptr) record.inputs.push_back(Describe("", *fused.operand));
  }
  Keep(&context, std::move(record));
}

void Observation::Done(const KernelInfo& info, const KernelBase& kernel, KernelContext& context,
                       int64_t start_ns, int64_t end_ns) {
  Done(info, kernel, context);
  if (event_ < 0) return;
  OperatorEvent& event = recorder_.events_[static_cast<size_t>(event_)];
  event.start_ns = start_ns;
  event.end_ns = end_ns;
}

}  // namespace paddle::lite
