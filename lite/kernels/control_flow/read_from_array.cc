// `read_from_array`: the tensor at position I of the list X.
#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

void RunReadFromArray(KernelContext& c) {
  const TensorList& tensors = ListInput(c, "X");
  const int64_t index = IndexInput(c, "I");
  if (index < 0 || static_cast<size_t>(index) >= tensors.size())
    throw ShapeError(StrCat("I is ", index, ", but the list X has ", tensors.size(), " tensors"));
  const Tensor& chosen = tensors[static_cast<size_t>(index)];
  if (!chosen.has_value())
    throw LiteError(StrCat("position ", index, " of the list X has not been written"));
  c.Output("Out").CopyDataFrom(chosen);
}

REGISTER_LITE_OP(read_from_array)
    .Input("X")
    .Input("I")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(read_from_array, kHost, kAny, kNCHW, RunReadFromArray, def);

}  // namespace
}  // namespace paddle::lite
