#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferGroupNorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  RequireEpsilon(c);
  const Images images =
      ImagesOf(x.dims, DataLayoutType::kNCHW, c.Attr<std::string>("data_layout"), 2);
  const int groups = c.Attr<int>("groups");
  c.Require(groups > 0 && images.c % groups == 0, "attribute groups is ", groups,
            ", expected a divisor of the ", images.c, " channels of X of shape ", x.dims);
  RequireElements(c, "Scale", images.c);
  RequireElements(c, "Bias", images.c);
  const DDim moments{images.n, groups};
  c.SetOutput("Y", x.dims, x.dtype, x.lod);
  c.SetOutput("Mean", moments, x.dtype);
  c.SetOutput("Variance", moments, x.dtype);
}

void RunGroupNormOp(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Images images = ImagesOf(x.dims(), x.layout(), c.Attr<std::string>("data_layout"), 2);
  RunGroupNorm(c, images, c.Attr<int>("groups"), "Mean", "Variance", false);
}

REGISTER_LITE_OP(group_norm)
    .Input("X")
    .OptionalInput("Scale")
    .OptionalInput("Bias")
    .Output("Y")
    .OptionalOutput("Mean")
    .OptionalOutput("Variance")
    .Attr<float>("epsilon", 1e-5f)
    .RequiredAttr<int>("groups")
    .Attr<std::string>("data_layout", "NCHW")
    .InferShape(InferGroupNorm);
REGISTER_LITE_FUNCTION(group_norm, kHost, kAny, kNCHW, RunGroupNormOp, def);
REGISTER_LITE_FUNCTION(group_norm, kHost, kFloat, kNHWC, RunGroupNormOp, def);

}  // namespace
}  // namespace paddle::lite
