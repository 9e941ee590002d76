#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunFloor(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return std::floor(v); });
  });
}

REGISTER_LITE_OP(floor).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(floor, kHost, kAny, kAny, RunFloor, def);

}  // namespace
}  // namespace paddle::lite
