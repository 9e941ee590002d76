// Power-average pooling: the norm of each window; padding counts as 0.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/pool.h"

namespace paddle::lite {
namespace {

PoolShape ShapeOf(const OpLite& op, const DDim& in) { return ResolvePool(op, in, "kernel_size"); }

void InferLpPool2d(InferContext& c) {
  RequireChannelsFirst(c.op(), "data_format");
  const TensorMeta& x = c.Input("x");
  c.Require(x.dims.size() == 4 && x.dims[2] > 0 && x.dims[3] > 0, "input x has shape ", x.dims,
            ", expected rank 4 and no empty spatial axis");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input x is ", Name(x.dtype), ", expected float32 or float64"));
  const float norm = c.Attr<float>("norm_type");
  c.Require(norm != 0 && std::isfinite(norm), "attribute norm_type is ", norm,
            ", expected a finite number that is not 0");
  const PoolShape s = ShapeOf(c.op(), x.dims);
  c.SetOutput("out", {x.dims[0], x.dims[1], s.out[1], s.out[2]}, x.dtype);
}

template <typename T>
void Pool(KernelContext& c) {
  const DDim& in = c.Input("x").dims();
  const PoolShape s = ShapeOf(c.op(), in);
  const T norm = static_cast<T>(c.Attr<float>("norm_type"));
  const T* x = c.Input("x").data<T>();
  T* out = c.Output("out").mutable_data<T>();
  for (int64_t plane = 0; plane < in[0] * in[1]; ++plane, x += in[2] * in[3])
    for (int64_t oy = 0; oy < s.out[1]; ++oy)
      for (int64_t ox = 0; ox < s.out[2]; ++ox) {
        const PoolRange rows = RangeOf(s, 1, oy), columns = RangeOf(s, 2, ox);
        T sum = 0;
        for (int64_t y = rows.first; y < rows.last; ++y)
          for (int64_t i = columns.first; i < columns.last; ++i)
            sum += std::pow(x[y * in[3] + i], norm);
        *out++ = std::pow(sum, 1 / norm);
      }
}

void RunLpPool2d(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("x").dtype(), [&](auto type) { Pool<decltype(type)>(c); });
}

REGISTER_LITE_OP(lp_pool2d)
    .Input("x")
    .Output("out")
    .Attr<std::vector<int32_t>>("kernel_size", {})
    .Attr<std::vector<int32_t>>("strides", {1, 1})
    .Attr<std::vector<int32_t>>("paddings", {0, 0})
    .Attr<std::string>("padding_algorithm", "EXPLICIT")
    .Attr<bool>("ceil_mode", false)
    .Attr<bool>("exclusive", true)
    .Attr<std::string>("pooling_type", "")
    .Attr<bool>("global_pooling", false)
    .Attr<bool>("adaptive", false)
    .Attr<std::string>("data_format", "NCHW")
    .RequiredAttr<float>("norm_type")
    .InferShape(InferLpPool2d);
REGISTER_LITE_FUNCTION(lp_pool2d, kHost, kAny, kNCHW, RunLpPool2d, def);

}  // namespace
}  // namespace paddle::lite
