// `write_to_array`: the list Out with X at position I; it grows where it is shorter.
#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

void RunWriteToArray(KernelContext& c) {
  const Tensor& x = TensorInput(c, "X");
  const int64_t index = IndexInput(c, "I");
  if (index < 0) throw ShapeError(StrCat("I is ", index, ", expected 0 or more"));
  const Tensor* before = c.InputOrNull("Before");
  const bool first = before == nullptr || (before->list() == nullptr && !before->has_value());
  Tensor copy;
  copy.CopyDataFrom(x);
  const TensorList& list = first ? TensorList() : ListInput(c, "Before");
  c.Output("Out") = ListTensor(list.With(static_cast<size_t>(index), std::move(copy)));
}

REGISTER_LITE_OP(write_to_array)
    .Input("X")
    .Input("I")
    .Output("Out")
    .Updates("Out", "Before")
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(write_to_array, kHost, kAny, kNCHW, RunWriteToArray, def);

}  // namespace
}  // namespace paddle::lite
