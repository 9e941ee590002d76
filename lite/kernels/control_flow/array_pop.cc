// `array_pop`: takes the tensor at position `index` out of the list; a negative one counts from its
// end.
#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"

namespace paddle::lite {
namespace {

void RunArrayPop(KernelContext& c) {
  const TensorList tensors = ListInput(c, "array");
  const auto size = static_cast<int64_t>(tensors.size());
  const int64_t given = c.Attr<int32_t>("index"), index = given < 0 ? given + size : given;
  if (index < 0 || index >= size)
    throw ShapeError(
        StrCat("attribute index is ", given, ", but the list array has ", size, " tensors"));
  const auto at = static_cast<size_t>(index);
  if (!tensors[at].has_value())
    throw LiteError(StrCat("position ", given, " of the list array has not been written"));
  c.Output("out").CopyDataFrom(tensors[at]);
  TensorList left = tensors.Part(0, at);
  for (size_t i = at + 1; i < tensors.size(); ++i) left = left.With(i - 1, tensors[i]);
  c.Output("array_out") = ListTensor(std::move(left));
}

REGISTER_LITE_OP(array_pop)
    .Input("array")
    .Output("array_out")
    .Output("out")
    .Attr<int32_t>("index", -1)
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(array_pop, kHost, kAny, kNCHW, RunArrayPop, def);

}  // namespace
}  // namespace paddle::lite
