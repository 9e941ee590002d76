// The mean of all elements, a tensor of rank 0.
#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/math/reduce.h"

namespace paddle::lite {
namespace {

void InferMean(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("X is ", Name(x.dtype), ", expected float32 or float64"));
  c.Require(x.dims.production() > 0, "X of shape ", x.dims, " has no elements to average");
  c.SetOutput("Out", {}, x.dtype);
}

void RunMean(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  if (x.dtype() == DataType::kFP32)
    return math::Reduce(math::Reduction::kMean, 1, x.numel(), 1, x.data<float>(),
                        out.mutable_data<float>(), c.threads());
  const auto* data = x.data<double>();
  double sum = 0;
  for (int64_t i = 0; i < x.numel(); ++i) sum += data[i];
  out.mutable_data<double>()[0] = sum / static_cast<double>(x.numel());
}

REGISTER_LITE_OP(mean).Input("X").Output("Out").InferShape(InferMean);
REGISTER_LITE_FUNCTION(mean, kHost, kAny, kNCHW, RunMean, def);

}  // namespace
}  // namespace paddle::lite
