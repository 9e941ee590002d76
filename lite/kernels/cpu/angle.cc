#include "lite/kernels/cpu/complex.h"

namespace paddle::lite {
namespace {

void InferAngle(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X",
              {DataType::kFP32, DataType::kFP64, DataType::kComplex64, DataType::kComplex128});
  c.SetOutput("Out", x.dims, IsComplex(x.dtype) ? PartType(x.dtype) : x.dtype);
}

void RunAngle(KernelContext& c) {
  const DataType dtype = c.Input("X").dtype();
  ForParts(dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = std::complex<T>;
    constexpr T kPi = static_cast<T>(3.14159265358979323846);
    if (IsComplex(dtype))
      ApplyUnary<C, T>(c, [](C x) { return std::arg(x); });
    else
      ApplyUnary<T, T>(c, [](T x) { return x < 0 ? kPi : T(0); });
  });
}

REGISTER_LITE_OP(angle).Input("X").Output("Out").InferShape(InferAngle);
REGISTER_LITE_FUNCTION(angle, kHost, kAny, kNCHW, RunAngle, def);

}  // namespace
}  // namespace paddle::lite
