#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunCos(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return std::cos(v); });
  });
}

REGISTER_LITE_OP(cos).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(cos, kHost, kAny, kAny, RunCos, def);

}  // namespace
}  // namespace paddle::lite
