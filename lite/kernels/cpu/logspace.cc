// Num powers of Base, whose exponents are spaced evenly from Start to Stop.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/random.h"
#include "lite/kernels/cpu/spaced.h"

namespace paddle::lite {
namespace {

void InferLogspace(InferContext& c) {
  for (const char* slot : {"Start", "Stop", "Base"})
    RequireType(c, slot, {DataType::kFP32, DataType::kFP64, DataType::kInt32, DataType::kInt64});
  InferSpaced(c, {"Start", "Stop", "Base"});
}

// The numbers are brought to the result's type first; exponents are counted from both ends.
template <typename T>
void RunLogspaceAs(KernelContext& c) {
  const auto number = [&](const char* slot) {
    return static_cast<double>(NumberCast<T>(Doubles(c.Input(slot))[0]));
  };
  const double start = number("Start"), stop = number("Stop"), base = number("Base");
  Tensor& out = c.Output("Out");
  T* to = out.mutable_data<T>();
  const int64_t num = out.numel();
  const double step = num == 1 ? 0 : (stop - start) / static_cast<double>(num - 1);
  for (int64_t i = 0; i < num; ++i) {
    const double exponent = i < (num + 1) / 2 ? start + step * static_cast<double>(i)
                                              : stop - step * static_cast<double>(num - 1 - i);
    to[i] = NumberCast<T>(std::pow(base, exponent));
  }
}

void RunLogspace(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Output("Out").dtype(),
                                            [&](auto zero) { RunLogspaceAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(logspace)
    .Input("Start")
    .Input("Stop")
    .Input("Num")
    .Input("Base")
    .Output("Out")
    .RequiredAttr<int32_t>("dtype")
    .InferShape(InferLogspace);
REGISTER_LITE_FUNCTION(logspace, kHost, kAny, kNCHW, RunLogspace, def);

}  // namespace
}  // namespace paddle::lite
