#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

// Row i of AddValue along the axis is added to row Index[i] of X.
void InferIndexAdd(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const TensorMeta& index = c.Input("Index");
  const TensorMeta& value = c.Input("AddValue");
  RequireIndexType(index.dtype, "Index");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), x.dims.size(), "axis");
  c.Require(index.dims.size() == 1, "Index has shape ", index.dims, ", expected one dimension");
  DDim expected = x.dims;
  expected[axis] = index.dims[0];
  c.Require(value.dims == expected, "AddValue has shape ", value.dims, ", expected ", expected);
  if (value.dtype != x.dtype)
    throw DataTypeError(StrCat("AddValue is ", Name(value.dtype), ", but X is ", Name(x.dtype)));
  c.SetOutput("Out", x.dims, x.dtype);
}

void RunIndexAdd(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim& dims = x.dims();
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), dims.size(), "axis");
  auto rows = IntValues(c, "Index");
  for (int64_t& row : rows) {
    if (row < -dims[axis] || row >= dims[axis])
      throw ShapeError(StrCat("Index has ", row, " for axis ", axis, " of X of shape ", dims));
    if (row < 0) row += dims[axis];
  }
  CopyElements(x, out);
  const int64_t outer = dims.Count(0, axis), inner = dims.Count(axis + 1, dims.size());
  ForTypes<float, double, int32_t, int64_t, bool, uint8_t, int8_t, int16_t>(
      c, x.dtype(), [&](auto zero) {
        using T = decltype(zero);
        const T* from = c.Input("AddValue").data<T>();
        T* to = out.mutable_data<T>();
        for (int64_t o = 0; o < outer; ++o)
          for (const int64_t row : rows) {
            T* line = to + (o * dims[axis] + row) * inner;
            for (int64_t i = 0; i < inner; ++i, ++from) line[i] = WrapAdd(line[i], *from);
          }
      });
}

REGISTER_LITE_OP(index_add)
    .Input("X")
    .Input("Index")
    .Input("AddValue")
    .Output("Out")
    .Attr<int32_t>("axis", 0)
    .InferShape(InferIndexAdd);
REGISTER_LITE_FUNCTION(index_add, kHost, kAny, kNCHW, RunIndexAdd, def);

}  // namespace
}  // namespace paddle::lite
