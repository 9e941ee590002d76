#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

template <typename Context>
int Axis(const Context& c, const DDim& first) {
  return CanonicalAxis(IntOf<int32_t>(c, "AxisTensor", "axis"), first.size(), "axis");
}

// Sequences of all inputs in turn when rows are joined and every input has as many levels.
LoD JoinedLod(const InferContext& c, int axis) {
  LoD lod = c.Input("X").lod;
  if (axis != 0 || lod.empty()) return lod;
  for (size_t i = 1; i < c.InputCount("X"); ++i)
    if (c.Input("X", i).lod.size() != lod.size()) return lod;
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const LoD& more = c.Input("X", i).lod;
    for (size_t level = 0; level < lod.size(); ++level) {
      const uint64_t base = lod[level].empty() ? 0 : lod[level].back();
      for (size_t k = 1; k < more[level].size(); ++k) lod[level].push_back(base + more[level][k]);
    }
  }
  return lod;
}

void InferConcat(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  const int axis = Axis(c, first.dims);
  DDim out = first.dims;
  for (size_t i = 1; i < c.InputCount("X"); ++i) {
    const TensorMeta& x = c.Input("X", i);
    if (x.dtype != first.dtype)
      throw DataTypeError(StrCat("X[", i, "] is ", Name(x.dtype), ", but X[0] is ",
                                 Name(first.dtype), "; cast them to one type"));
    bool fits = x.dims.size() == out.size();
    for (int d = 0; fits && d < out.size(); ++d) fits = d == axis || x.dims[d] == out[d];
    c.Require(fits, "X[", i, "] of shape ", x.dims, " does not fit X[0] of shape ", first.dims,
              " but for axis ", axis);
    out[axis] += x.dims[axis];
  }
  c.SetOutput("Out", out, first.dtype, JoinedLod(c, axis));
}

void RunConcat(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const int axis = Axis(c, out.dims());
  const DDim strides = StridesOf(out);
  int64_t offset = 0;
  for (size_t i = 0; i < c.InputCount("X"); ++i) {
    const Tensor& x = c.Input("X", i);
    // What has been written to its place already stays.
    if (Bytes(x) != MutableBytes(out) + offset * ElementSize(out))
      CopyBox(x.dims(), x, 0, StridesOf(x), out, offset, strides, c.threads());
    offset += x.dims()[axis] * strides[axis];
  }
}

REGISTER_LITE_OP(concat)
    .Inputs("X")
    .OptionalInput("AxisTensor")
    .Output("Out")
    .Attr<int32_t>("axis", 0)
    .InferShape(InferConcat);
REGISTER_LITE_FUNCTION(concat, kHost, kAny, kNCHW, RunConcat, def);
REGISTER_LITE_FUNCTION(concat, kHost, kFloat, kNHWC, RunConcat, nhwc, false, false, true, true);

}  // namespace
}  // namespace paddle::lite
