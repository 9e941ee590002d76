#include "lite/kernels/cpu/diagonals.h"

namespace paddle::lite {
namespace {

template <typename Context>
DiagonalSpec SpecOf(const Context& c) {
  return DiagonalOf(c.template Attr<int32_t>("offset"), c.template Attr<int32_t>("axis1"),
                    c.template Attr<int32_t>("axis2"), DimsOf(c, "Input").size());
}

void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.SetOutput("Out", DiagonalDims(x.dims, SpecOf(c)), x.dtype);
}

void Run(KernelContext& c) {
  CopyFromDiagonal(c.Input("Input"), SpecOf(c), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(diagonal)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("axis1", 0)
    .Attr<int32_t>("axis2", 1)
    .InferShape(Infer);
REGISTER_LITE_FUNCTION(diagonal, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
