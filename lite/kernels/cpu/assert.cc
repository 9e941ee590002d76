#include "lite/kernels/cpu/tensor_text.h"

namespace paddle::lite {
namespace {

void InferAssert(InferContext& c) {
  const TensorMeta& condition = c.Input("Cond");
  c.Require(condition.dims.production() == 1, "Cond has shape ", condition.dims,
            ", expected one element");
  if (condition.dtype != DataType::kBool)
    throw DataTypeError(StrCat("Cond is ", Name(condition.dtype), ", expected bool"));
}

void RunAssert(KernelContext& c) {
  if (*c.Input("Cond").data<bool>()) return;
  std::string data;
  for (size_t i = 0; i < c.InputCount("Data"); ++i)
    data += StrCat(i == 0 ? "; Data is " : ", ",
                   TensorText(c.Input("Data", i), c.Attr<int64_t>("summarize")));
  throw LiteError(StrCat("the model's assertion does not hold: Cond is false", data));
}

REGISTER_LITE_OP(assert)
    .Input("Cond")
    .OptionalInputs("Data")
    .Attr<int64_t>("summarize", -1)
    .InferShape(InferAssert)
    .SideEffect();
REGISTER_LITE_FUNCTION(assert, kHost, kAny, kNCHW, RunAssert, def);

}  // namespace
}  // namespace paddle::lite
