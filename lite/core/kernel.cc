#include "lite/core/kernel.h"

#include <cstdio>
#include <cstdlib>

#include "lite/core/fingerprint.h"

namespace paddle::lite {

KernelContext::KernelContext(const OpLite& op) : op_(&op) {
  inputs_.resize(op.inputs().size());
  outputs_.resize(op.outputs().size());
}

const Tensor* KernelContext::InputOrNull(std::string_view slot, size_t index) const {
  const auto& tensors = inputs_[op_->InputSlot(slot)];
  return index < tensors.size() ? tensors[index] : nullptr;
}

Tensor* KernelContext::OutputOrNull(std::string_view slot, size_t index) const {
  const auto& tensors = outputs_[op_->OutputSlot(slot)];
  return index < tensors.size() ? tensors[index] : nullptr;
}

const Tensor& KernelContext::Input(std::string_view slot, size_t index) const {
  const Tensor* tensor = InputOrNull(slot, index);
  if (tensor == nullptr) throw LiteError(StrCat("input ", slot, "[", index, "] is absent"));
  return *tensor;
}

Tensor& KernelContext::Output(std::string_view slot, size_t index) const {
  Tensor* tensor = OutputOrNull(slot, index);
  if (tensor == nullptr) throw LiteError(StrCat("output ", slot, "[", index, "] is absent"));
  return *tensor;
}

const std::vector<math::EpilogueStep>& KernelContext::ResolveSteps() const {
  resolved_.resize(fused_.size());
  for (size_t i = 0; i < fused_.size(); ++i) {
    resolved_[i] = fused_[i].step;
    if (fused_[i].operand == nullptr) continue;
    if (const auto& form = fused_[i].bytes) {
      resolved_[i].bytes = fused_[i].operand->data<uint8_t>();
      resolved_[i].byte_scale = form->scale;
      resolved_[i].byte_zero = form->ByteOfZero();
    } else {
      resolved_[i].data = fused_[i].operand->data<float>();
    }
  }
  return resolved_;
}

namespace {

class FunctionKernel final : public KernelBase {
 public:
  explicit FunctionKernel(KernelFunction function) : function_(function) {}
  void Run(KernelContext& context) override { function_(context); }

 private:
  KernelFunction function_;
};

}  // namespace

std::unique_ptr<KernelBase> KernelInfo::Create() const {
  return factory != nullptr ? factory() : std::make_unique<FunctionKernel>(function);
}

KernelRegistry& KernelRegistry::Global() noexcept {
  static auto* registry = new KernelRegistry;  // outlives every static that registers in it
  return *registry;
}

bool KernelRegistry::Register(const KernelInfo& info) noexcept {
  const Key key{info.op, info.target, info.precision, info.layout, info.alias};
  if (!kernels_.emplace(key, info).second) {
    const std::string place = StrCat(info.op, "/", info.alias);
    std::fprintf(stderr, "kernel %s is registered twice for one place\n", place.c_str());
    std::abort();
  }
  return true;
}

const KernelInfo* KernelRegistry::Find(std::string_view op, PrecisionType precision,
                                       DataLayoutType layout) const {
  const KernelInfo* best = nullptr;
  int best_score = -1;
  const Key first{op, TargetType{}, PrecisionType{}, DataLayoutType{}, ""};
  for (auto it = kernels_.lower_bound(first); it != kernels_.end() && it->second.op == op; ++it) {
    const KernelInfo& kernel = it->second;
    const bool same_precision = kernel.precision == precision;
    const bool same_layout = kernel.layout == layout;
    if (!same_precision && kernel.precision != PrecisionType::kAny) continue;
    if (!same_layout && kernel.layout != DataLayoutType::kAny) continue;
    const int score = 2 * same_precision + same_layout;
    if (score > best_score) {
      best_score = score;
      best = &kernel;
    }
  }
  return best;
}

std::vector<const KernelInfo*> KernelRegistry::All() const {
  std::vector<const KernelInfo*> all;
  for (const auto& [key, kernel] : kernels_) all.push_back(&kernel);
  return all;
}

std::string KernelContext::FormWith(std::initializer_list<const char*> slots,
                                    const std::string& form, bool held) const {
  Fingerprint fingerprint;
  for (const char* slot : slots) {
    const Tensor* x = InputOrNull(slot);
    if (x != nullptr && !x->persistable()) return "";
    if (held && x != nullptr)
      fingerprint.Add(x->raw_data(), static_cast<size_t>(x->numel()) * SizeOf(x->dtype()));
    else
      fingerprint.Add(reinterpret_cast<uintptr_t>(x));
  }
  return StrCat(form, " ", Fingerprint::Hex(fingerprint.low(), fingerprint.high()));
}

}  // namespace paddle::lite
