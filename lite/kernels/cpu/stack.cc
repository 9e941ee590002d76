#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void InferStack(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), first.dims.size() + 1, "axis");
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& x = c.Input("X", i);
    c.Require(x.dims == first.dims, "X[", i, "] has shape ", x.dims, ", but X[0] has ", first.dims);
    if (x.dtype != first.dtype)
      throw DataTypeError(
          StrCat("X[", i, "] is ", Name(x.dtype), ", but X[0] is ", Name(first.dtype)));
  }
  DDim out(first.dims.begin(), static_cast<size_t>(axis));
  out.push_back(static_cast<int64_t>(c.InputCount("X")));
  for (int i = axis; i < first.dims.size(); ++i) out.push_back(first.dims[i]);
  c.SetOutput("Y", out, first.dtype, first.lod);
}

void RunStack(KernelContext& c) {
  Tensor& out = c.Output("Y");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), out.dims().size(), "axis");
  const DDim strides = RowMajorStrides(out.dims());
  DDim to;
  for (int i = 0; i < strides.size(); ++i)
    if (i != axis) to.push_back(strides[i]);
  for (size_t i = 0; i < c.InputCount("X"); ++i) {
    const Tensor& x = c.Input("X", i);
    CopyBox(x.dims(), x, 0, RowMajorStrides(x.dims()), out, static_cast<int64_t>(i) * strides[axis],
            to, c.threads());
  }
}

REGISTER_LITE_OP(stack).Inputs("X").Output("Y").Attr<int32_t>("axis", 0).InferShape(InferStack);
REGISTER_LITE_FUNCTION(stack, kHost, kAny, kNCHW, RunStack, def);

}  // namespace
}  // namespace paddle::lite
