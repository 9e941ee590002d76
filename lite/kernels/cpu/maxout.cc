#include <algorithm>
#include <limits>

#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferMaxout(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input X is ", Name(x.dtype), ", expected float32 or float64"));
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  const int64_t groups = c.Attr<int32_t>("groups");
  c.Require(groups > 1 && x.dims[axis] % groups == 0, "groups ", groups,
            " is not at least 2 or does not divide axis ", axis, " of X of shape ", x.dims);
  DDim out = x.dims;
  out[axis] /= groups;
  c.SetOutput("Out", out, x.dtype);
}

// Element i of the axis is the largest of elements i * groups ... (i + 1) * groups - 1.
template <typename T>
void Maxout(KernelContext& c) {
  const DDim& d = c.Input("X").dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), d.size(), "axis");
  const int64_t groups = c.Attr<int32_t>("groups"), inner = d.Count(axis + 1, d.size());
  const T* x = c.Input("X").data<T>();
  Tensor& output = c.Output("Out");
  T* out = output.mutable_data<T>();
  const int64_t lines = inner == 0 ? 0 : output.numel() / inner;
  for (int64_t line = 0; line < lines; ++line, out += inner) {
    std::fill(out, out + inner, std::numeric_limits<T>::lowest());
    for (int64_t g = 0; g < groups; ++g, x += inner)
      for (int64_t i = 0; i < inner; ++i)
        out[i] = out[i] > x[i] ? out[i] : x[i];  // as Paddle: a NaN stays only if it is the last
  }
}

void RunMaxout(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(), [&](auto type) { Maxout<decltype(type)>(c); });
}

REGISTER_LITE_OP(maxout)
    .Input("X")
    .Output("Out")
    .RequiredAttr<int32_t>("groups")
    .Attr<int32_t>("axis", 1)
    .InferShape(InferMaxout);
REGISTER_LITE_FUNCTION(maxout, kHost, kAny, kNCHW, RunMaxout, def);

}  // namespace
}  // namespace paddle::lite
