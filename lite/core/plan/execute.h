// Running one operator directly, without a plan.
#pragma once

#include <vector>

#include "lite/core/kernel.h"

namespace paddle::lite {

// Throws where an input is a list of tensors, or a variable that nothing has written: the branch
// that does was not taken. `slot` is a position.
void CheckIsTensor(const Tensor& tensor, const OpLite& op, size_t slot);

// Runs the row-major kernel of an operator on tensors whose outputs have their shapes already.
// Throws UnsupportedOperatorError where no kernel takes the types.
void RunKernelNow(const OpLite& op, const std::vector<std::vector<const Tensor*>>& inputs,
                  const std::vector<std::vector<Tensor*>>& outputs, PrecisionType precision,
                  int threads);

// Infers the output shapes from the tensors themselves, data included, and runs the operator.
void InferAndRun(const OpLite& op, const std::vector<std::vector<const Tensor*>>& inputs,
                 const std::vector<std::vector<Tensor*>>& outputs, int threads);

// The kernel for a precision and layout; throws UnsupportedOperatorError naming what there is.
const KernelInfo& RequireKernel(const OpLite& op, PrecisionType precision, DataLayoutType layout);

}  // namespace paddle::lite
