// Out = X + Weight * (Y - X); Weight has one element or broadcasts.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferLerp(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64});
  RequireType(c, "Y", {x.dtype});
  RequireType(c, "Weight", {x.dtype});
  c.SetOutput("Out", BroadcastDims(BroadcastDims(x.dims, c.Dims("Y"), -1), c.Dims("Weight"), -1),
              x.dtype, x.lod);
}

void RunLerp(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const Tensor x = Repeated(c.Input("X"), out.dims(), c.threads());
  const Tensor y = Repeated(c.Input("Y"), out.dims(), c.threads());
  const Tensor& weight = c.Input("Weight");
  const bool one = weight.numel() == 1;
  const Tensor weights = one ? weight : Repeated(weight, out.dims(), c.threads());
  ForTypes<float, double>(c, x.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T *xs = x.data<T>(), *ys = y.data<T>(), *ws = weights.data<T>();
    T* to = out.mutable_data<T>();
    math::ParallelRange(c.threads(), out.numel(), math::kElementGrain,
                        [&](int64_t begin, int64_t end) {
                          for (int64_t i = begin; i < end; ++i)
                            to[i] = xs[i] + ws[one ? 0 : i] * (ys[i] - xs[i]);
                        });
  });
}

REGISTER_LITE_OP(lerp).Input("X").Input("Y").Input("Weight").Output("Out").InferShape(InferLerp);
REGISTER_LITE_FUNCTION(lerp, kHost, kAny, kNCHW, RunLerp, def);

}  // namespace
}  // namespace paddle::lite
