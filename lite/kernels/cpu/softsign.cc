#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void RunSoftsign(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto zero) {
    using T = decltype(zero);
    ApplyUnary<T, T>(c, [](T v) { return v / (T(1) + std::abs(v)); });
  });
}

REGISTER_LITE_OP(softsign).Input("X").Output("Out").InferShape(InferFloatUnary());
REGISTER_LITE_FUNCTION(softsign, kHost, kAny, kAny, RunSoftsign, def);

}  // namespace
}  // namespace paddle::lite
