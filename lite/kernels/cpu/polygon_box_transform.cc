#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

void InferPolygonBoxTransform(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.Require(x.dims.size() == 4 && x.dims[1] % 2 == 0, "input Input has shape ", x.dims,
            ", expected rank 4 and an even number of channels");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input Input is ", Name(x.dtype), ", expected float32 or float64"));
  c.SetOutput("Output", x.dims, x.dtype);
}

// Distances become places: the maps are a quarter of the image, even channels hold x and odd y.
template <typename T>
void Transform(KernelContext& c) {
  const DDim& d = c.Input("Input").dims();
  const T* x = c.Input("Input").data<T>();
  T* out = c.Output("Output").mutable_data<T>();
  for (int64_t plane = 0; plane < d[0] * d[1]; ++plane) {
    const bool vertical = plane % d[1] % 2 == 1;
    for (int64_t row = 0; row < d[2]; ++row)
      for (int64_t column = 0; column < d[3]; ++column)
        *out++ = static_cast<T>(4 * (vertical ? row : column)) - *x++;
  }
}

void RunPolygonBoxTransform(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Input").dtype(),
                          [&](auto type) { Transform<decltype(type)>(c); });
}

REGISTER_LITE_OP(polygon_box_transform)
    .Input("Input")
    .Output("Output")
    .InferShape(InferPolygonBoxTransform);
REGISTER_LITE_FUNCTION(polygon_box_transform, kHost, kAny, kNCHW, RunPolygonBoxTransform, def);

}  // namespace
}  // namespace paddle::lite
