#include "lite/core/plan/execute.h"

#include "lite/core/infer_context.h"
#include "lite/core/infer_op.h"

namespace paddle::lite {
namespace {

const char* const kPrecisionNames[] = {"complex", "float32", "int8",  "int32", "any",    "float16",
                                       "bool",    "int64",   "int16", "uint8", "float64"};

// Runs an operator's ComputeFn.
void RunComputeFn(KernelContext& context) { context.op().info().compute()(context); }

PrecisionType FirstPrecision(const std::vector<std::vector<const Tensor*>>& inputs,
                             const std::vector<std::vector<Tensor*>>& outputs) {
  for (const auto& slot : inputs)
    for (const Tensor* tensor : slot) return ToPrecision(tensor->dtype());
  for (const auto& slot : outputs)
    for (const Tensor* tensor : slot) return ToPrecision(tensor->dtype());
  return PrecisionType::kAny;
}

}  // namespace

void CheckIsTensor(const Tensor& tensor, const OpLite& op, size_t slot) {
  const std::string& name = op.info().inputs()[slot].name;
  if (tensor.list() != nullptr)
    throw DataTypeError(StrCat("input ", name, " is a list of tensors, which ", op.type(),
                               " does not take; stack or concat the list first"));
  if (!tensor.has_value())
    throw LiteError(StrCat("input ", name, " has no value: no branch that writes it was taken"));
}

const KernelInfo& RequireKernel(const OpLite& op, PrecisionType precision, DataLayoutType layout) {
  static const KernelInfo compute_fn{
      "", TargetType::kHost, PrecisionType::kAny, DataLayoutType::kNCHW,
      "", nullptr,           RunComputeFn,        {}};
  if (op.info().compute()) return compute_fn;
  const KernelInfo* kernel = KernelRegistry::Global().Find(op.type(), precision, layout);
  if (kernel != nullptr) return *kernel;
  std::string known;
  for (const KernelInfo* other : KernelRegistry::Global().All())
    if (other->op == op.type())
      known += (known.empty() ? "" : ", ") +
               std::string(kPrecisionNames[static_cast<int>(other->precision)]);
  throw UnsupportedOperatorError(
      StrCat(op.type(), " has no kernel for ", kPrecisionNames[static_cast<int>(precision)],
             " inputs; it has kernels for: ", known.empty() ? "nothing" : known,
             ". Cast the input to one of these types"));
}

void RunKernelNow(const OpLite& op, const std::vector<std::vector<const Tensor*>>& inputs,
                  const std::vector<std::vector<Tensor*>>& outputs, PrecisionType precision,
                  int threads) {
  const auto kernel = RequireKernel(op, precision, DataLayoutType::kNCHW).Create();
  KernelContext context(op);
  context.inputs() = inputs;
  context.outputs() = outputs;
  context.set_threads(threads);
  kernel->PrepareForRun(context);
  kernel->Run(context);
}

void InferAndRun(const OpLite& op, const std::vector<std::vector<const Tensor*>>& inputs,
                 const std::vector<std::vector<Tensor*>>& outputs, int threads) {
  try {
    const auto inferred = InferOutputs(op, [&](size_t s, size_t i) {
      const Tensor* tensor = inputs[s][i];
      if (!op.info().whole_variables()) CheckIsTensor(*tensor, op, s);
      return KnownInput{&tensor->meta(), tensor};
    });
    if (!inferred) throw NeedsData{};
    if (!op.info().data_dependent()) {
      for (size_t s = 0; s < outputs.size(); ++s)
        for (size_t i = 0; i < outputs[s].size(); ++i) {
          outputs[s][i]->set_meta((*inferred)[s][i]);
          outputs[s][i]->MutableRaw((*inferred)[s][i].dtype);
        }
    }
    RunKernelNow(op, inputs, outputs, FirstPrecision(inputs, outputs), threads);
  } catch (LiteError& error) {
    error.AddContext(op.where());
    throw;
  }
}

}  // namespace paddle::lite
