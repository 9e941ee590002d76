// bilinear and bicubic resizing whose filter grows with the factor by which an image shrinks.
#include "lite/kernels/cpu/interp.h"

namespace paddle::lite {
namespace {

void InferInterpAntialias(InferContext& c) {
  const auto& method = c.Attr<std::string>("interp_method");
  if (method != "bilinear" && method != "bicubic")
    throw LiteError(
        StrCat("attribute interp_method is \"", method, "\", expected bilinear or bicubic"));
  const DataType dtype = c.Input("X").dtype;
  if (dtype != DataType::kFP32 && dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(dtype), ", expected float32 or float64"));
  InferInterpV2(c);
}

REGISTER_LITE_OP(interp_antialias);
[[maybe_unused]] OpInfo& interp_antialias_declared =
    DeclareInterp(interp_antialias_op_info, "bilinear", 2).InferShape(InferInterpAntialias);
REGISTER_LITE_FUNCTION(interp_antialias, kHost, kAny, kNCHW, RunInterp<InterpAxesV2>, def);

}  // namespace
}  // namespace paddle::lite
