#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) {
  const TensorMeta& condition = c.Input("Condition");
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  c.Require(condition.dims == x.dims && x.dims == y.dims, "Condition, X and Y have shapes ",
            condition.dims, ", ", x.dims, " and ", y.dims, ", expected equal ones");
  if (condition.dtype != DataType::kBool)
    throw DataTypeError(StrCat("Condition is ", Name(condition.dtype), ", expected bool"));
  if (x.dtype != y.dtype)
    throw DataTypeError(
        StrCat("X is ", Name(x.dtype), " and Y is ", Name(y.dtype), ", expected one type"));
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void Run(KernelContext& c) {
  const Tensor& x = c.Input("X");
  ForTypes<float, double, int32_t, int64_t, bool, int16_t, int8_t, uint8_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const bool* condition = c.Input("Condition").data<bool>();
        const T* xs = x.data<T>();
        const T* ys = c.Input("Y").data<T>();
        T* out = c.Output("Out").mutable_data<T>();
        math::ParallelRange(c.threads(), x.numel(), math::kElementGrain,
                            [&](int64_t begin, int64_t end) {
                              for (int64_t i = begin; i < end; ++i)
                                out[i] = condition[i] ? xs[i] : ys[i];
                            });
      });
}

REGISTER_LITE_OP(where).Input("Condition").Input("X").Input("Y").Output("Out").InferShape(Infer);
REGISTER_LITE_FUNCTION(where, kHost, kAny, kNCHW, Run, def);

}  // namespace
}  // namespace paddle::lite
