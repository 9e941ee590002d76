#include "lite/kernels/cpu/complex.h"
#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void RunConj(KernelContext& c) {
  const Tensor& x = c.Input("X");
  if (!IsComplex(x.dtype())) return CopyElements(x, c.Output("Out"));
  ForParts(x.dtype(), [&](auto zero) {
    using C = std::complex<decltype(zero)>;
    ApplyUnary<C, C>(c, [](C value) { return std::conj(value); });
  });
}

REGISTER_LITE_OP(conj).Input("X").Output("Out").InferShape(
    InferUnary({DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64,
                DataType::kComplex64, DataType::kComplex128},
               false));
REGISTER_LITE_FUNCTION(conj, kHost, kAny, kNCHW, RunConj, def);

}  // namespace
}  // namespace paddle::lite
