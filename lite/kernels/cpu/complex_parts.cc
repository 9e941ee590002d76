// The two parts of complex numbers: real and imag.
#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

void InferComplexParts(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  c.SetOutput("Out", x.dims, PartType(x.dtype));
}

template <bool imaginary>
void RunComplexParts(KernelContext& c) {
  ForParts(c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    ApplyUnary<C, T>(c, [](C x) { return imaginary ? x.imag() : x.real(); });
  });
}

REGISTER_LITE_OP(real).Input("X").Output("Out").InferShape(InferComplexParts);
REGISTER_LITE_FUNCTION(real, kHost, kAny, kNCHW, RunComplexParts<false>, def);

REGISTER_LITE_OP(imag).Input("X").Output("Out").InferShape(InferComplexParts);
REGISTER_LITE_FUNCTION(imag, kHost, kAny, kNCHW, RunComplexParts<true>, def);

}  // namespace
}  // namespace paddle::lite
