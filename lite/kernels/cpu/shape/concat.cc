#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/join_bytes.h"

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

// The first part's type chooses the kernel: where that is float, others or the result may be bytes.
class ConcatNhwc : public JoinBytes {
 public:
  void Run(KernelContext& c) override {
    c.output_bytes() != nullptr ? JoinBytes::Run(c) : RunConcat(c);
  }
};
REGISTER_LITE_KERNEL(concat, kHost, kFloat, kNHWC, ConcatNhwc, nhwc, false, false, true, true,
                     JoinKeepsBytes);
REGISTER_LITE_KERNEL(concat, kHost, kUInt8, kNHWC, ConcatNhwc, nhwc);

void InferStack(InferContext& c) {
  const TensorMeta& first = c.Input("X");
  const int axis = CanonicalAxis(c.Attr<int32_t>("axis"), first.dims.size() + 1, "axis");
  RequireAlike(c, "X");
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

// Axis i has the length of X[i]; a 0-D input counts as one element.
void InferMeshgrid(InferContext& c) {
  const size_t count = c.InputCount("X");
  c.Require(c.OutputCount("Out") == count, "Out has ", c.OutputCount("Out"), " tensors, but X has ",
            count);
  DDim dims;
  for (size_t i = 0; i < count; ++i) {
    const DDim& x = c.Dims("X", i);
    c.Require(x.size() <= 1, "X[", i, "] has shape ", x, ", expected one dimension");
    dims.push_back(x.production());
  }
  for (size_t i = 0; i < count; ++i) c.SetOutput("Out", i, dims, c.Input("X", i).dtype, {});
}

void RunMeshgrid(KernelContext& c) {
  for (size_t i = 0; i < c.InputCount("X"); ++i) {
    Tensor& out = c.Output("Out", i);
    DDim from = out.dims();
    for (int axis = 0; axis < from.size(); ++axis) from[axis] = axis == static_cast<int>(i);
    CopyBox(out.dims(), c.Input("X", i), 0, from, out, 0, RowMajorStrides(out.dims()), c.threads());
  }
}

REGISTER_LITE_OP(meshgrid).Inputs("X").Outputs("Out").InferShape(InferMeshgrid);
REGISTER_LITE_FUNCTION(meshgrid, kHost, kAny, kNCHW, RunMeshgrid, def);

}  // namespace
}  // namespace paddle::lite
