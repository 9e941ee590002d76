// `select_input`: X[Mask], where only the branch that was taken has a value.
#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

void RunSelectInput(KernelContext& c) {
  const int64_t mask = IndexInput(c, "Mask");
  const auto count = static_cast<int64_t>(c.InputCount("X"));
  if (mask < 0 || mask >= count)
    throw ShapeError(StrCat("Mask is ", mask, ", but X has ", count, " variables"));
  const auto index = static_cast<size_t>(mask);
  const Tensor& chosen =
      c.Input("X", index).list() ? c.Input("X", index) : TensorInput(c, "X", index);
  c.Output("Out").CopyDataFrom(chosen);
}

REGISTER_LITE_OP(select_input)
    .Inputs("X")
    .Input("Mask")
    .Output("Out")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(select_input, kHost, kAny, kNCHW, RunSelectInput, def);

}  // namespace
}  // namespace paddle::lite
