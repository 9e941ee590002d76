#include "lite/kernels/cpu/convert.h"

namespace paddle::lite {
namespace {

void InferCast(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int number = c.Attr<int>("out_dtype");
  if (!IsDataType(number))
    throw DataTypeError(StrCat("attribute out_dtype is ", number, ", which is no supported type"));
  c.SetOutput("Out", x.dims, static_cast<DataType>(number), x.lod);
}

void RunCast(KernelContext& c) {
  ConvertElements(c.Input("X"), &c.Output("Out"), static_cast<DataType>(c.Attr<int>("out_dtype")),
                  c.threads());
}

REGISTER_LITE_OP(cast)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int>("out_dtype")
    .InferShape(InferCast);
REGISTER_LITE_FUNCTION(cast, kHost, kAny, kNCHW, RunCast, def);

}  // namespace
}  // namespace paddle::lite
