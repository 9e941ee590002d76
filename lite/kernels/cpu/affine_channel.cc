#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/window.h"

namespace paddle::lite {
namespace {

void InferAffineChannel(InferContext& c) {
  RequireChannelsFirst(c.op(), "data_layout");
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "input X has shape ", x.dims, ", expected rank 2 or more");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  for (const char* slot : {"Scale", "Bias"}) {
    c.Require(c.Dims(slot).production() == x.dims[1], "input ", slot, " has shape ", c.Dims(slot),
              ", expected one element for each of ", x.dims[1], " channels");
    if (c.Input(slot).dtype != x.dtype)
      throw DataTypeError(
          StrCat("input ", slot, " is ", Name(c.Input(slot).dtype), ", but X is ", Name(x.dtype)));
  }
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void Scale(KernelContext& c, int64_t outer, int64_t channels, int64_t inner) {
  const T *x = c.Input("X").data<T>(), *scale = c.Input("Scale").data<T>();
  const T* bias = c.Input("Bias").data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t k = 0; k < channels; ++k)
      for (int64_t j = 0; j < inner; ++j) *out++ = *x++ * scale[k] + bias[k];
}

void RunAffineChannel(KernelContext& c) {
  const DDim& x = c.Input("X").dims();
  const int64_t inner = x.Count(2, x.size());
  if (c.Input("X").dtype() == DataType::kFP64)
    Scale<double>(c, x[0], x[1], inner);
  else
    Scale<float>(c, x[0], x[1], inner);
}

void RunNhwc(KernelContext& c) {
  const DDim& x = c.Input("X").dims();
  Scale<float>(c, x[0] * x[2] * x[3], x[1], 1);
}

REGISTER_LITE_OP(affine_channel)
    .Input("X")
    .Input("Scale")
    .Input("Bias")
    .Output("Out")
    .Attr<std::string>("data_layout", "NCHW")
    .InferShape(InferAffineChannel);
REGISTER_LITE_FUNCTION(affine_channel, kHost, kAny, kNCHW, RunAffineChannel, def);
REGISTER_LITE_FUNCTION(affine_channel, kHost, kFloat, kNHWC, RunNhwc, def);

}  // namespace
}  // namespace paddle::lite
