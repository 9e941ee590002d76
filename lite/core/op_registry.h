// OpInfo: what one operator is; OpRegistry: all of them, each registered beside its kernel.
//
//   REGISTER_LITE_OP(leaky_relu)
//       .Input("X").Output("Out")
//       .Attr<float>("alpha", 0.02f)
//       .InferShape(InferSameAs("X", "Out"));
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lite/core/attribute.h"
#include "lite/core/base/epilogue_step.h"
#include "lite/core/dim.h"
#include "lite/core/fork_safe_mutex.h"

namespace paddle::lite {

class InferContext;
class KernelContext;
class OpLite;

struct SlotInfo {
  std::string name;
  bool optional = false;  // may be absent
  bool repeated = false;  // may hold more than one variable
};

struct AttrInfo {
  std::string name;
  Attribute default_value;  // also fixes the type
  bool required = false;
};

class OpInfo {
 public:
  using InferFn = std::function<void(InferContext&)>;
  using ComputeFn = std::function<void(KernelContext&)>;
  using ActivationFn = math::Activation (*)(const OpLite&);
  // Dims of X's rank, ones where the operand is repeated.
  using OperandDimsFn = DDim (*)(const OpLite&, const DDim& x);
  struct OperandStep {
    math::EpilogueStep::Op op;
    const char* operand;  // null where the operator is none
    OperandDimsFn dims;   // null where the two broadcast along the attribute axis
  };

  explicit OpInfo(std::string type, std::string file = "")
      : type_(std::move(type)), file_(std::move(file)) {}

  // What declarations call is `noexcept`: they are run as the library is loaded, where nobody could
  // catch, and hundreds of cleanups are spared.

  // -- Slots, in the order in which OpLite keeps them.
  OpInfo& Input(const char* name) noexcept { return AddSlot(&inputs_, name, false, false); }
  OpInfo& OptionalInput(const char* name) noexcept { return AddSlot(&inputs_, name, true, false); }
  OpInfo& Inputs(const char* name) noexcept { return AddSlot(&inputs_, name, false, true); }
  OpInfo& OptionalInputs(const char* name) noexcept { return AddSlot(&inputs_, name, true, true); }
  OpInfo& Output(const char* name) noexcept { return AddSlot(&outputs_, name, false, false); }
  OpInfo& OptionalOutput(const char* name) noexcept {
    return AddSlot(&outputs_, name, true, false);
  }
  OpInfo& Outputs(const char* name) noexcept { return AddSlot(&outputs_, name, false, true); }
  OpInfo& OptionalOutputs(const char* name) noexcept {
    return AddSlot(&outputs_, name, true, true);
  }

  OpInfo& AddInput(SlotInfo slot);
  OpInfo& AddOutput(SlotInfo slot);

  // -- Attributes. A missing one takes the default; a required one is an error when it is missing.
  // T is one of Attribute's types; the registry's file has them all.
  template <typename T>
  OpInfo& Attr(const char* name, T default_value) noexcept;
  template <typename T>
  OpInfo& RequiredAttr(const char* name) noexcept;

  // Shapes, types and LoD of the outputs from those of the inputs.
  template <typename Infer>
  OpInfo& InferShape(Infer infer) noexcept {
    using Plain = void (*)(InferContext&);
    using Taken = std::conditional_t<std::is_convertible_v<Infer, Plain>, Plain, InferFn>;
    return SetInfer(Taken(std::move(infer)));
  }
  // The newest version of the operator (OpVersionMap) whose meaning is implemented here.
  OpInfo& Version(int newest) noexcept {
    version_ = newest;
    return *this;
  }
  // Output shapes depend on input data: the kernel allocates them as it runs.
  OpInfo& DataDependent() noexcept {
    data_dependent_ = true;
    return *this;
  }
  // The inputs may be lists of tensors, or variables that nothing has written: the kernel checks.
  OpInfo& WholeVariables() noexcept {
    whole_variables_ = true;
    return *this;
  }
  // The output variable is changed, not replaced: what it held before is the input (`before` is no
  // slot of programs).
  OpInfo& Updates(const char* output, const char* before) noexcept;
  // The kernel draws numbers anew in every run, so its results are no constants.
  OpInfo& Random() noexcept {
    random_ = true;
    return *this;
  }
  // It is run at every run although nobody reads what it writes (`assert`, `print`).
  OpInfo& SideEffect() noexcept {
    side_effect_ = true;
    return *this;
  }
  // The kernel reads only the inputs' shapes, never their data (`shape`, `fill_any_like`, ...).
  OpInfo& ShapeOnly() noexcept {
    shape_only_ = true;
    return *this;
  }
  // What computes the operator in place of kernels, for any element types: an operator that was
  // added while the process runs. Its shape inference never sees data, nor is it run while
  // planning.
  OpInfo& Compute(ComputeFn compute) {
    compute_ = std::move(compute);
    return *this;
  }
  // The output is the input's memory under another shape (`reshape2`, ...).
  OpInfo& View(const char* input, const char* output) noexcept;
  // A unary elementwise operator X -> Out that a producer's epilogue can apply (fp32).
  OpInfo& AsActivation(ActivationFn activation) noexcept {
    activation_ = activation;
    return *this;
  }
  // A binary elementwise operator X, Y -> Out with broadcasting that an epilogue can apply (fp32).
  OpInfo& AsBinary(math::EpilogueStep::Op op) noexcept { return AsStep(op, "Y", nullptr); }
  // Elementwise of X and of input `operand`, which lies beside X as `dims` says (`prelu`).
  OpInfo& AsStep(math::EpilogueStep::Op op, const char* operand, OperandDimsFn dims) noexcept {
    operand_step_ = {op, operand, dims};
    return *this;
  }

  const std::string& type() const { return type_; }
  // Where it is declared, from the sources' folder on; empty where it was added.
  const std::string& file() const { return file_; }
  const std::vector<SlotInfo>& inputs() const { return inputs_; }
  const std::vector<SlotInfo>& outputs() const { return outputs_; }
  const std::vector<AttrInfo>& attrs() const { return attrs_; }
  const InferFn& infer() const { return infer_; }
  int version() const { return version_; }
  bool data_dependent() const { return data_dependent_; }
  bool whole_variables() const { return whole_variables_; }
  // Empty where no output is updated.
  const std::string& updated_output() const { return updated_output_; }
  const std::string& before() const { return before_; }
  bool random() const { return random_; }
  bool side_effect() const { return side_effect_; }
  bool shape_only() const { return shape_only_; }
  // Empty where kernels compute the operator.
  const ComputeFn& compute() const { return compute_; }
  bool is_view() const { return !view_input_.empty(); }
  const std::string& view_input() const { return view_input_; }
  const std::string& view_output() const { return view_output_; }
  ActivationFn activation() const { return activation_; }
  const OperandStep& operand_step() const { return operand_step_; }
  bool has_operand() const { return operand_step_.operand != nullptr; }
  bool is_binary() const { return has_operand() && operand_step_.dims == nullptr; }

  // Positions in declaration order; -1 where the name is unknown.
  int FindInput(std::string_view name) const;
  int FindOutput(std::string_view name) const;
  int FindAttr(std::string_view name) const;

 private:
  OpInfo& SetInfer(InferFn infer) noexcept;
  OpInfo& SetInfer(void (*infer)(InferContext&)) noexcept;
  OpInfo& AddSlot(std::vector<SlotInfo>* slots, const char* name, bool optional,
                  bool repeated) noexcept;

  std::string type_, file_;
  std::vector<SlotInfo> inputs_, outputs_;
  std::vector<AttrInfo> attrs_;
  InferFn infer_;
  ComputeFn compute_;
  int version_ = 0;
  bool data_dependent_ = false, shape_only_ = false, whole_variables_ = false;
  bool random_ = false;
  bool side_effect_ = false;
  std::string view_input_, view_output_, updated_output_, before_;
  ActivationFn activation_ = nullptr;
  OperandStep operand_step_{};
};

// Safe to use from several threads.
class OpRegistry {
 public:
  static OpRegistry& Global() noexcept;
  // Starts a declaration, which stands in `file`. A second one of the same type ends the process at
  // start-up: it is a mistake in this library, not in anybody's input.
  OpInfo& Declare(const char* type, const char* file) noexcept;
  // Adds an operator with a ComputeFn, in place of one that was added under the same type before.
  // Throws ConfigError where the library itself has the operator.
  void Add(std::unique_ptr<OpInfo> info);
  // Takes away an operator that was added; false where there is none.
  bool Remove(std::string_view type);
  // Null where the type is unknown. What it returns lives for ever.
  const OpInfo* Find(std::string_view type) const;
  std::vector<const OpInfo*> All() const;

 private:
  mutable ForkSafeMutex mutex_;
  std::map<std::string, std::unique_ptr<OpInfo>, std::less<>> ops_;
  std::vector<std::unique_ptr<OpInfo>> retired_;  // programs still run them
};

// Up to three known operator types closest in spelling, for error messages.
std::string NearestOpTypes(std::string_view type);

}  // namespace paddle::lite

#define REGISTER_LITE_OP(op_type)                                     \
  [[maybe_unused]] static ::paddle::lite::OpInfo& op_type##_op_info = \
      ::paddle::lite::OpRegistry::Global().Declare(#op_type, __FILE__)
