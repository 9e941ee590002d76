#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferEqualAll(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", but Y is ", Name(y.dtype)));
  c.SetOutput("Out", {}, DataType::kBool);
}

// Other shapes are not equal either.
void RunEqualAll(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Tensor& y = c.Input("Y");
  bool equal = x.dims() == y.dims();
  ForTypes<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* a = x.data<T>();
        equal = equal && std::equal(a, a + x.numel(), y.data<T>(), AlmostEqual<T>);
      });
  *c.Output("Out").mutable_data<bool>() = equal;
}

REGISTER_LITE_OP(equal_all).Input("X").Input("Y").Output("Out").InferShape(InferEqualAll);
REGISTER_LITE_FUNCTION(equal_all, kHost, kAny, kNCHW, RunEqualAll, def);

}  // namespace
}  // namespace paddle::lite
