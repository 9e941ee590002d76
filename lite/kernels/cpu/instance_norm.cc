#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferInstanceNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  const Images images = ImagesOf(x.dims, DataLayoutType::kNCHW, "NCHW", 2);
  RequireElements(c, "Scale", images.c);
  RequireElements(c, "Bias", images.c);
  const DDim instances{DDim{images.n, images.c}.production()};
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  c.SetOutput("SavedMean", instances, x.dtype);
  c.SetOutput("SavedVariance", instances, x.dtype);
}

void RunInstanceNorm(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Images images = ImagesOf(x.dims(), x.layout(), "NCHW", 2);
  RunGroupNorm(c, images, images.c, "SavedMean", "SavedVariance", true);
}

REGISTER_LITE_OP(instance_norm)
    .Input("X")
    .OptionalInput("Scale")
    .OptionalInput("Bias")
    .Output("Y")
    .OptionalOutput("SavedMean")
    .OptionalOutput("SavedVariance")
    .Attr<float>("epsilon", 1e-5f)
    .InferShape(InferInstanceNorm);
REGISTER_LITE_FUNCTION(instance_norm, kHost, kAny, kNCHW, RunInstanceNorm, def);
REGISTER_LITE_FUNCTION(instance_norm, kHost, kFloat, kNHWC, RunInstanceNorm, def);

}  // namespace
}  // namespace paddle::lite
