#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

// `shape` with one dimension from Input; the number of sequences where Input's rows form some.
void InferFillConstantBatchSizeLike(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  const auto& shape = c.Attr<std::vector<int32_t>>("shape");
  DDim out(std::vector<int64_t>(shape.begin(), shape.end()));
  const int from = c.Attr<int32_t>("input_dim_idx"), to = c.Attr<int32_t>("output_dim_idx");
  c.Require(from >= 0 && from < input.dims.size(), "input_dim_idx is ", from,
            ", but Input has shape ", input.dims);
  c.Require(to >= 0 && to < out.size(), "output_dim_idx is ", to, ", but shape is ", out);
  out[to] = input.dims[from];
  if (from == 0 && !input.lod.empty() && !input.lod.back().empty())
    out[to] = static_cast<int64_t>(input.lod.back().size()) - 1;
  for (const int64_t dim : out) c.Require(dim >= 0, "shape ", out, " has a negative dimension");
  c.SetOutput("Out", out, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

void RunFillConstantBatchSizeLike(KernelContext& c) {
  const auto& text = c.Attr<std::string>("str_value");
  Fill(c.Output("Out"),
       text.empty() ? FillValue::Of(c.Attr<float>("value")) : FillValue::Parse(text), c.threads());
}

REGISTER_LITE_OP(fill_constant_batch_size_like)
    .Input("Input")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("shape")
    .Attr<int32_t>("input_dim_idx", 0)
    .Attr<int32_t>("output_dim_idx", 0)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .Attr<float>("value", 0.0f)
    .Attr<std::string>("str_value", "")
    .InferShape(InferFillConstantBatchSizeLike)
    .ShapeOnly();
REGISTER_LITE_FUNCTION(fill_constant_batch_size_like, kHost, kAny, kNCHW,
                       RunFillConstantBatchSizeLike, def);

}  // namespace
}  // namespace paddle::lite
