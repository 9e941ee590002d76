#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void InferIncrement(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.production() == 1, "X has shape ", x.dims, ", expected one element");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// The step is converted to X's type first; integers wrap around.
template <typename T>
void RunIncrementAs(KernelContext& c) {
  const T x = *c.Input("X").data<T>();
  const float step = c.Attr<float>("step");
  T* out = c.Output("Out").mutable_data<T>();
  if constexpr (std::is_integral_v<T>) {
    if (!(step > -9.2e18f && step < 9.2e18f))
      throw LiteError(StrCat("attribute step is ", step, ", which no integer can hold"));
    *out = static_cast<T>(static_cast<uint64_t>(x) +
                          static_cast<uint64_t>(static_cast<int64_t>(step)));
  } else {
    *out = x + static_cast<T>(step);
  }
}

REGISTER_LITE_OP(increment)
    .Input("X")
    .Output("Out")
    .Attr<float>("step", 1.0f)
    .InferShape(InferIncrement);
REGISTER_LITE_FUNCTION(increment, kHost, kFloat, kNCHW, RunIncrementAs<float>, def);
REGISTER_LITE_FUNCTION(increment, kHost, kFP64, kNCHW, RunIncrementAs<double>, def);
REGISTER_LITE_FUNCTION(increment, kHost, kInt32, kNCHW, RunIncrementAs<int32_t>, def);
REGISTER_LITE_FUNCTION(increment, kHost, kInt64, kNCHW, RunIncrementAs<int64_t>, def);

}  // namespace
}  // namespace paddle::lite
