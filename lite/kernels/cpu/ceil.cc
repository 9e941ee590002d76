#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunCeil(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return std::ceil(v); });
  });
}

REGISTER_LITE_OP(ceil).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(ceil, kHost, kAny, kAny, RunCeil, def);

}  // namespace
}  // namespace paddle::lite
