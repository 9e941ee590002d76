#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

// The shape that numpy broadcasting gives.
DDim Common(const DDim& condition, const DDim& x, const DDim& y) {
  return BroadcastDims(BroadcastDims(condition, x, -1), y, -1);
}

void InferWhere(InferContext& c) {
  const TensorMeta& condition = c.Input("Condition");
  const TensorMeta& x = c.Input("X");
  const TensorMeta& y = c.Input("Y");
  if (condition.dtype != DataType::kBool)
    throw DataTypeError(StrCat("Condition is ", Name(condition.dtype), ", expected bool"));
  if (x.dtype != y.dtype)
    throw DataTypeError(
        StrCat("X is ", Name(x.dtype), " and Y is ", Name(y.dtype), ", expected one type"));
  c.Require(c.Attr<bool>("broadcast") || (condition.dims == x.dims && x.dims == y.dims),
            "Condition, X and Y have shapes ", condition.dims, ", ", x.dims, " and ", y.dims,
            ", expected equal ones");
  c.SetOutput("Out", Common(condition.dims, x.dims, y.dims), x.dtype, x.lod);
}

void RunWhere(KernelContext& c) {
  const DDim& dims = c.Output("Out").dims();
  const Tensor x = Repeated(c.Input("X"), dims, c.threads());
  const Tensor y = Repeated(c.Input("Y"), dims, c.threads());
  const Tensor conditions = Repeated(c.Input("Condition"), dims, c.threads());
  ForTypes<float, double, int32_t, int64_t, bool, int16_t, int8_t, uint8_t, std::complex<float>,
           std::complex<double>>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const bool* condition = conditions.data<bool>();
    const T* xs = x.data<T>();
    const T* ys = y.data<T>();
    T* out = c.Output("Out").mutable_data<T>();
    math::ParallelRange(c.threads(), x.numel(), math::kElementGrain,
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i)
                            out[i] = condition[i] ? xs[i] : ys[i];
                        });
  });
}

REGISTER_LITE_OP(where)
    .Input("Condition")
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("broadcast", false)  // of NNAdapter's WHERE, in no program
    .InferShape(InferWhere);
REGISTER_LITE_FUNCTION(where, kHost, kAny, kNCHW, RunWhere, def);

}  // namespace
}  // namespace paddle::lite
