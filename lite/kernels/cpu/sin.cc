#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunSin(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return std::sin(v); });
  });
}

REGISTER_LITE_OP(sin).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(sin, kHost, kAny, kAny, RunSin, def);

}  // namespace
}  // namespace paddle::lite
