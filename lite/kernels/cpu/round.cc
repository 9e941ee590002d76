// Halves are rounded away from zero.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunRoundOp(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return std::round(v); });
  });
}

REGISTER_LITE_OP(round).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(round, kHost, kAny, kAny, RunRoundOp, def);

}  // namespace
}  // namespace paddle::lite
