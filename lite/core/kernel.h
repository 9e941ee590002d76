// Kernels: how an operator is computed; registered beside the operator's declaration.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lite/core/int8_form.h"
#include "lite/core/op_lite.h"
#include "lite/core/pack_cache.h"
#include "lite/core/tensor.h"

namespace paddle::lite {

// One elementwise operation that the plan folded into a kernel; the operand's strides are those
// of math::EpilogueStep.
struct FusedStep {
  math::EpilogueStep step;
  const Tensor* operand = nullptr;  // null for activations
  std::optional<Int8Form> bytes;    // what the operand's bytes stand for
  std::vector<FusedStep> of_input;  // the operand is what these make of the bytes of the input
};

// What a kernel works on: tensors bound to the operator's slots, and its attributes.
class KernelContext {
 public:
  explicit KernelContext(const OpLite& op);

  const OpLite& op() const { return *op_; }
  bool HasInput(std::string_view slot) const { return InputOrNull(slot) != nullptr; }
  bool HasOutput(std::string_view slot) const { return OutputOrNull(slot) != nullptr; }
  size_t InputCount(std::string_view slot) const { return inputs_[op_->InputSlot(slot)].size(); }
  size_t OutputCount(std::string_view slot) const { return outputs_[op_->OutputSlot(slot)].size(); }
  const Tensor& Input(std::string_view slot, size_t index = 0) const;
  const Tensor* InputOrNull(std::string_view slot, size_t index = 0) const;
  Tensor& Output(std::string_view slot, size_t index = 0) const;
  Tensor* OutputOrNull(std::string_view slot, size_t index = 0) const;
  template <typename T>
  const T& Attr(std::string_view name) const {
    return op_->Attr<T>(name);
  }
  // Threads that the kernel may use through ParallelFor.
  int threads() const { return threads_; }
  // Whether many convolutions follow and few come before: what is rounded here grows in all of
  // them.
  bool early() const { return early_; }

  // Elementwise operations to apply to the output; only kernels that accept them get any.
  const std::vector<FusedStep>& fused() const { return fused_; }
  // The steps with their operands' memory of this run; valid until the next call.
  const std::vector<math::EpilogueStep>& ResolveSteps() const;

  // What the bytes of an input in the first slot and of the output stand for; null where those hold
  // what the operator says.
  const Int8Form* input_bytes(size_t index = 0) const {
    return index < input_bytes_.size() && input_bytes_[index] ? &*input_bytes_[index] : nullptr;
  }
  const Int8Form* output_bytes() const { return output_bytes_ ? &*output_bytes_ : nullptr; }

  // -- For the planner.
  void set_bytes(const std::vector<std::optional<Int8Form>>& inputs,
                 const std::optional<Int8Form>& output) {
    input_bytes_ = inputs;
    output_bytes_ = output;
  }
  std::vector<std::vector<const Tensor*>>& inputs() { return inputs_; }
  const std::vector<std::vector<const Tensor*>>& inputs() const { return inputs_; }
  std::vector<std::vector<Tensor*>>& outputs() { return outputs_; }
  std::vector<FusedStep>& mutable_fused() { return fused_; }
  void set_threads(int threads) { threads_ = threads; }
  void set_early(bool early) { early_ = early; }
  void set_pack_cache(PackCache* cache) { pack_cache_ = cache; }
  // The constants that PackedInput has packed: the kernel does not read their own data.
  const std::set<const Tensor*>& packed_inputs() const { return packed_inputs_; }

  // A packed form of a constant input, made once for all plans and clones by `pack(tensor)`.
  // Null where the input is not constant. `form` names the packing (with all that it depends on
  // besides the tensor).
  template <typename Packed, typename Pack>
  std::shared_ptr<const Packed> PackedInput(std::string_view slot, const std::string& form,
                                            Pack&& pack, size_t index = 0);

  // The same where packing reads further inputs, `others`, if present; null where one of them is
  // not constant.
  template <typename Packed, typename Pack>
  std::shared_ptr<const Packed> PackedInput(std::string_view slot,
                                            std::initializer_list<const char*> others,
                                            const std::string& form, Pack&& pack);

 private:
  // `form` with the addresses, or with what they hold, of inputs; empty where one is not constant.
  std::string FormWith(std::initializer_list<const char*> slots, const std::string& form,
                       bool held) const;

  const OpLite* op_;
  std::vector<std::vector<const Tensor*>> inputs_;
  std::vector<std::vector<Tensor*>> outputs_;
  std::vector<FusedStep> fused_;
  std::vector<std::optional<Int8Form>> input_bytes_;
  std::optional<Int8Form> output_bytes_;
  mutable std::vector<math::EpilogueStep> resolved_;
  int threads_ = 1;
  bool early_ = false;
  PackCache* pack_cache_ = nullptr;
  std::set<const Tensor*> packed_inputs_;
};

template <typename Packed, typename Pack>
std::shared_ptr<const Packed> KernelContext::PackedInput(std::string_view slot,
                                                         const std::string& form, Pack&& pack,
                                                         size_t index) {
  const Tensor* tensor = InputOrNull(slot, index);
  if (tensor == nullptr || !tensor->persistable()) return nullptr;
  auto make = [&]() -> std::shared_ptr<const void> {
    return std::make_shared<const Packed>(pack(*tensor));
  };
  std::shared_ptr<const void> packed =
      pack_cache_ == nullptr ? make() : pack_cache_->GetOrMake(tensor, form, make);
  packed_inputs_.insert(tensor);
  return std::static_pointer_cast<const Packed>(packed);
}

template <typename Packed, typename Pack>
std::shared_ptr<const Packed> KernelContext::PackedInput(std::string_view slot,
                                                         std::initializer_list<const char*> others,
                                                         const std::string& form, Pack&& pack) {
  const Tensor* tensor = InputOrNull(slot);
  const std::string key = FormWith(others, form, false);
  if (tensor == nullptr || !tensor->persistable() || key.empty()) return nullptr;
  auto make = [&]() -> std::shared_ptr<const void> {
    return std::make_shared<const Packed>(pack(*tensor));
  };
  std::shared_ptr<const void> packed =
      pack_cache_ == nullptr
          ? make()
          : pack_cache_->GetOrMake(tensor, key, make, [&] { return FormWith(others, form, true); });
  packed_inputs_.insert(tensor);
  return std::static_pointer_cast<const Packed>(packed);
}

class KernelBase {
 public:
  virtual ~KernelBase() = default;
  // Once, when the plan is made: all metas and the constants' data are known; other memory is not.
  virtual void PrepareForRun(KernelContext&) {}
  virtual void Run(KernelContext& context) = 0;
};

// What is known of the first tensor of an input slot; null where it has none.
using MetaOfSlot = std::function<const TensorMeta*(const char* slot)>;

// What a kernel can do beyond its operator's definition.
struct KernelTraits {
  bool fuses = false;           // applies KernelContext::fused() to its output
  bool prefers_layout = false;  // fast enough in its layout to be worth converting the input
  bool reads_slices = false;    // its first slot may hold slices (Tensor::pixel_stride)
  bool writes_slices = false;   // its outputs may be slices
  // Whether the inputs of the first slot, the output and the steps' operands may be bytes that
  // stand for reals. Null: no.
  bool (*keeps_bytes)(const OpLite&, const MetaOfSlot&) = nullptr;
  // Whether the output may be bytes that stand for what those of the first input do. Null: no.
  bool (*passes_bytes)(const OpLite&, const MetaOfSlot&) = nullptr;
};

using KernelFactory = std::unique_ptr<KernelBase> (*)();
using KernelFunction = void (*)(KernelContext&);

struct KernelInfo {
  std::string_view op;  // of a literal, as alias
  TargetType target;
  PrecisionType precision;
  DataLayoutType layout;
  std::string_view alias;
  KernelFactory factory;  // null for a kernel that is a function only
  KernelFunction function;
  KernelTraits traits;

  std::unique_ptr<KernelBase> Create() const;
};

class KernelRegistry {
 public:
  static KernelRegistry& Global() noexcept;
  // A duplicate ends the process at start-up.
  bool Register(const KernelInfo& info) noexcept;
  // The CPU kernel of an operator for inputs of `precision` in `layout`: the exact one, else the
  // one for any precision or any layout. Null where there is none.
  const KernelInfo* Find(std::string_view op, PrecisionType precision, DataLayoutType layout) const;
  std::vector<const KernelInfo*> All() const;

 private:
  using Key =
      std::tuple<std::string_view, TargetType, PrecisionType, DataLayoutType, std::string_view>;
  std::map<Key, KernelInfo> kernels_;
};

template <typename Kernel>
std::unique_ptr<KernelBase> CreateKernel() {
  return std::make_unique<Kernel>();
}

}  // namespace paddle::lite

// REGISTER_LITE_KERNEL(conv2d, kHost, kFloat, kNHWC, Conv2dNhwc, def): a KernelBase class.
#define REGISTER_LITE_KERNEL(op, target, precision, layout, Kernel, alias, ...) \
  LITE_REGISTER_KERNEL_AS(op, target, precision, layout, alias,                 \
                          ::paddle::lite::CreateKernel<Kernel>, nullptr, __VA_ARGS__)

// The same for a plain function void(KernelContext&).
#define REGISTER_LITE_FUNCTION(op, target, precision, layout, function, alias, ...) \
  LITE_REGISTER_KERNEL_AS(op, target, precision, layout, alias, nullptr, function, __VA_ARGS__)

#define LITE_REGISTER_KERNEL_AS(op, target, precision, layout, alias, factory, function, ...) \
  [[maybe_unused]] static const bool op##_##target##precision##layout##alias##_registered =   \
      ::paddle::lite::KernelRegistry::Global().Register(                                      \
          {#op, ::paddle::lite::TargetType::target, ::paddle::lite::PrecisionType::precision, \
           ::paddle::lite::DataLayoutType::layout, #alias, factory, function,                 \
           ::paddle::lite::KernelTraits{__VA_ARGS__}})
