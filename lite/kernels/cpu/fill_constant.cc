#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

void InferFillConstant(InferContext& c) {
  const DDim dims = GivenShape(c);
  if (c.HasInput("ValueTensor"))
    c.Require(c.Dims("ValueTensor").production() == 1, "ValueTensor has shape ",
              c.Dims("ValueTensor"), ", expected one element");
  c.SetOutput("Out", dims, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

FillValue Value(const KernelContext& c) {
  if (c.HasInput("ValueTensor")) return FillValue::From(c.Input("ValueTensor"), "ValueTensor");
  const auto& text = c.Attr<std::string>("str_value");
  return text.empty() ? FillValue::Of(c.Attr<float>("value")) : FillValue::Parse(text);
}

void RunFillConstant(KernelContext& c) { Fill(c.Output("Out"), Value(c), c.threads()); }

REGISTER_LITE_OP(fill_constant)
    .OptionalInput("ValueTensor")
    .OptionalInput("ShapeTensor")
    .OptionalInputs("ShapeTensorList")
    .Output("Out")
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<float>("value", 0.0f)
    .Attr<std::string>("str_value", "")
    .InferShape(InferFillConstant);
REGISTER_LITE_FUNCTION(fill_constant, kHost, kAny, kNCHW, RunFillConstant, def);

}  // namespace

DDim GivenShape(const InferContext& c) {
  const bool from_tensor = c.HasInput("ShapeTensor");
  const DDim dims(from_tensor ? c.IntValues("ShapeTensor")
                              : IntsOf<int64_t>(c, "ShapeTensorList", "", "shape"));
  for (const int64_t dim : dims) c.Require(dim >= 0, "shape ", dims, " has a negative dimension");
  return dims;
}

}  // namespace paddle::lite
