#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

void InferComplex(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  RequireParts(c, "X");
  RequireType(c, "Y", {x.dtype});
  c.SetOutput("Out", BroadcastDims(x.dims, y.dims, -1), ComplexOf(x.dtype));
}

void RunComplexOp(KernelContext& c) {
  ForParts(c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ApplyBroadcast<T, C>(c, [](T real, T imag) { return C(real, imag); });
  });
}

REGISTER_LITE_OP(complex).Input("X").Input("Y").Output("Out").InferShape(InferComplex);
REGISTER_LITE_FUNCTION(complex, kHost, kAny, kNCHW, RunComplexOp, def);

}  // namespace
}  // namespace paddle::lite
