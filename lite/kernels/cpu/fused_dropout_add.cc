// y + x, of which test mode drops nothing; by mode downscale_in_infer x counts 1 - p.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferFusedDropoutAdd(InferContext& c) {
  RequireFloating(c, "x");
  const TensorMeta &x = c.Input("x"), &y = c.Input("y");
  c.Require(y.dims == x.dims, "input y has shape ", y.dims, ", expected ", x.dims, " like x");
  RequireType(c, "y", {x.dtype});
  const float p = c.Attr<float>("p");
  c.Require(p >= 0 && p <= 1, "attribute p is ", p, ", expected a number in [0, 1]");
  c.Require(p == 0 || c.Attr<bool>("is_test"), "attribute p is ", p, " and is_test is false, ",
            "expected no dropping: export the model in eval mode");
  const auto& mode = c.Attr<std::string>("mode");
  if (mode != "upscale_in_train" && mode != "downscale_in_infer")
    throw LiteError(StrCat("attribute mode is \"", mode,
                           "\", expected upscale_in_train or downscale_in_infer"));
  c.SetOutput("out", x.dims, x.dtype, x.lod);
  c.SetOutput("seed_offset", DDim{0}, DataType::kInt64);
}

void RunFusedDropoutAdd(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto zero) {
    using T = decltype(zero);
    const bool scaled = c.Attr<std::string>("mode") == "downscale_in_infer";
    const T factor = scaled ? 1 - static_cast<T>(c.Attr<float>("p")) : 1;
    ApplyBroadcast<T, T>(c, [factor](T x, T y) { return x * factor + y; });
  });
}

REGISTER_LITE_OP(fused_dropout_add)
    .Input("x")
    .Input("y")
    .OptionalInput("seed_tensor")
    .Output("out")
    .OptionalOutput("seed_offset")
    .Attr<float>("p", 0.5f)
    .Attr<bool>("is_test", false)
    .Attr<std::string>("mode", "upscale_in_train")
    .InferShape(InferFusedDropoutAdd);
REGISTER_LITE_FUNCTION(fused_dropout_add, kHost, kAny, kNCHW, RunFusedDropoutAdd, def);

}  // namespace
}  // namespace paddle::lite
