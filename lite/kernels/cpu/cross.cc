// Out = X x Y, the cross product of vectors of three along `dim`.
#include "lite/kernels/cpu/elementwise.h"

namespace paddle::lite {
namespace {

constexpr int kFirstOfThree = DDim::kMaxRank;  // `dim` where it was not given

int AxisOf(const OpLite& op, const DDim& dims) {
  const int given = op.Attr<int32_t>("dim");
  if (given != kFirstOfThree) {
    const int axis = CanonicalAxis(given, dims.size(), "attribute dim");
    if (dims[axis] != 3)
      throw ShapeError(StrCat("input X has shape ", dims, ", expected 3 at dim ", axis));
    return axis;
  }
  for (int i = 0; i < dims.size(); ++i)
    if (dims[i] == 3) return i;
  throw ShapeError(StrCat("input X has shape ", dims, ", expected a dimension of 3"));
}

void InferCross(InferContext& c) {
  const TensorMeta &x = c.Input("X"), &y = c.Input("Y");
  c.Require(x.dims == y.dims, "inputs X of shape ", x.dims, " and Y of shape ", y.dims,
            ", expected equal shapes");
  if (x.dtype != y.dtype)
    throw DataTypeError(StrCat("input Y is ", Name(y.dtype), ", but X is ", Name(x.dtype)));
  AxisOf(c.op(), x.dims);
  c.SetOutput("Out", x.dims, x.dtype);
}

template <typename T>
void RunCrossAs(KernelContext& c) {
  const DDim& dims = c.Input("X").dims();
  const T *x = c.Input("X").data<T>(), *y = c.Input("Y").data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  const int axis = AxisOf(c.op(), dims);
  const int64_t outer = dims.Count(0, axis), inner = dims.Count(axis + 1, dims.size());
  for (int64_t i = 0; i < outer * inner; ++i) {
    const int64_t at = i / inner * 3 * inner + i % inner;
    for (int k = 0; k < 3; ++k) {
      const int64_t p = at + (k + 1) % 3 * inner, q = at + (k + 2) % 3 * inner;
      to[at + k * inner] = WrapSub(WrapMul(x[p], y[q]), WrapMul(x[q], y[p]));
    }
  }
}

void RunCross(KernelContext& c) {
  ForTypes<float, double, int32_t, int64_t>(c, c.Input("X").dtype(),
                                            [&](auto zero) { RunCrossAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(cross)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<int32_t>("dim", kFirstOfThree)
    .InferShape(InferCross);
REGISTER_LITE_FUNCTION(cross, kHost, kAny, kNCHW, RunCross, def);

}  // namespace
}  // namespace paddle::lite
