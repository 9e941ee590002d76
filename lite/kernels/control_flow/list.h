// What the operators on lists of tensors (LOD_TENSOR_ARRAY) share.
#pragma once

#include <string>
#include <string_view>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/core/tensor_list.h"

namespace paddle::lite {

// The tensors of an input; throws DataTypeError where it is no list.
const TensorList& ListInput(const KernelContext& c, std::string_view slot);
// The tensor itself; throws where it is a list, or has no value.
const Tensor& TensorInput(const KernelContext& c, std::string_view slot, size_t index = 0);
// The one integer or truth value in an input.
int64_t IndexInput(const KernelContext& c, std::string_view slot);
// The one integer or truth value in a tensor that has a value; `what` names it in errors.
int64_t OneInteger(const Tensor& tensor, const std::string& what);

}  // namespace paddle::lite
