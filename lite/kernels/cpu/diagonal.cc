#include "lite/kernels/cpu/diagonals.h"

namespace paddle::lite {
namespace {

template <typename Context>
DiagonalSpec SpecOfDiagonal(const Context& c) {
  return DiagonalOf(c.template Attr<int32_t>("offset"), c.template Attr<int32_t>("axis1"),
                    c.template Attr<int32_t>("axis2"), DimsOf(c, "Input").size());
}

void InferDiagonal(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.SetOutput("Out", DiagonalDims(x.dims, SpecOfDiagonal(c)), x.dtype);
}

void RunDiagonal(KernelContext& c) {
  CopyFromDiagonal(c.Input("Input"), SpecOfDiagonal(c), c.Output("Out"), c.threads());
}

REGISTER_LITE_OP(diagonal)
    .Input("Input")
    .Output("Out")
    .Attr<int32_t>("offset", 0)
    .Attr<int32_t>("axis1", 0)
    .Attr<int32_t>("axis2", 1)
    .InferShape(InferDiagonal);
REGISTER_LITE_FUNCTION(diagonal, kHost, kAny, kNCHW, RunDiagonal, def);

}  // namespace
}  // namespace paddle::lite
