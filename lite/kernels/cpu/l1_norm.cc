// The sum of the absolute values.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferL1Norm(InferContext& c) {
  RequireFloating(c, "X");
  c.SetOutput("Out", DDim{}, c.Input("X").dtype);
}

void RunL1Norm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  ForTypes<float, double>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = x.data<T>();
    double sum = 0;
    for (int64_t i = 0; i < x.numel(); ++i) sum += std::abs(static_cast<double>(from[i]));
    *c.Output("Out").mutable_data<T>() = static_cast<T>(sum);
  });
}

REGISTER_LITE_OP(l1_norm).Input("X").Output("Out").InferShape(InferL1Norm);
REGISTER_LITE_FUNCTION(l1_norm, kHost, kAny, kNCHW, RunL1Norm, def);

}  // namespace
}  // namespace paddle::lite
