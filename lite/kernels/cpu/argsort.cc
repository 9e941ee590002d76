#include "lite/kernels/cpu/sort.h"

namespace paddle::lite {
namespace {

void InferArgsort(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  AxisOrFirst(c.Attr<int32_t>("axis"), x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
  c.SetOutput("Indices", x.dims, DataType::kInt64, x.lod);
}

void RunArgsort(KernelContext& c) {
  const Tensor& x = c.Input("X");
  SortLines(x, {AxisOrFirst(c.Attr<int32_t>("axis"), x.dims()), c.Attr<bool>("descending")},
            c.Output("Out"), c.Output("Indices"), c.threads());
}

REGISTER_LITE_OP(argsort)
    .Input("X")
    .Output("Out")
    .Output("Indices")
    .Attr<int32_t>("axis", -1)
    .Attr<bool>("descending", false)
    .InferShape(InferArgsort);
REGISTER_LITE_FUNCTION(argsort, kHost, kAny, kNCHW, RunArgsort, def);

}  // namespace
}  // namespace paddle::lite
