// Shape inference of one operator, for whoever knows something of its inputs.
#pragma once

#include <optional>
#include <vector>

#include "lite/core/base/function_ref.h"
#include "lite/core/op_lite.h"
#include "lite/core/tensor.h"

namespace paddle::lite {

struct KnownInput {
  const TensorMeta* meta = nullptr;  // null: not known
  const Tensor* data = nullptr;      // null: its values are not known
};

// By slot and position, as op.outputs().
using OutputMetas = std::vector<std::vector<TensorMeta>>;

// Nothing where a meta, or values that decide a shape, are not known. Throws what the operator's
// inference throws.
std::optional<OutputMetas> InferOutputs(const OpLite& op,
                                        FunctionRef<KnownInput(size_t slot, size_t index)> input);

}  // namespace paddle::lite
