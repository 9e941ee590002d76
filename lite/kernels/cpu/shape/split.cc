#include "lite/kernels/cpu/shape/data_movement.h"
#include "lite/kernels/cpu/shape/unstack.h"

namespace paddle::lite {
namespace {

template <typename Context>
int SplitAxis(const Context& c, const DDim& x) {
  return CanonicalAxis(IntOf<int32_t>(c, "AxisTensor", "axis"), x.size(), "axis");
}

// The length of each part along the axis, of which `sections` may leave one open with -1.
std::vector<int64_t> Lengths(InferContext& c, int64_t size) {
  const size_t parts = c.OutputCount("Out");
  auto lengths = IntsOf<int32_t>(c, "SectionsTensorList", "", "sections");
  if (lengths.empty()) {
    const int num = c.Attr<int32_t>("num");
    c.Require(num > 0 && size % num == 0, "a dimension of ", size,
              " cannot be split into num = ", num, " equal parts");
    lengths.assign(parts, size / num);
    c.Require(static_cast<size_t>(num) == parts, "num is ", num, ", but Out has ", parts);
    return lengths;
  }
  c.Require(lengths.size() == parts, "sections has ", lengths.size(), " elements, but Out has ",
            parts);
  int64_t sum = 0, *open = nullptr;
  for (int64_t& length : lengths) {
    c.Require(length >= 0 || (length == -1 && open == nullptr), "section ", length,
              " is not a length, nor the only -1");
    if (length < 0)
      open = &length;
    else
      sum += length;
  }
  if (open != nullptr) *open = size - sum;
  c.Require(open != nullptr ? sum <= size : sum == size, "sections sum to ", sum,
            ", but the dimension is ", size);
  return lengths;
}

void InferSplit(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int axis = SplitAxis(c, x.dims);
  const auto lengths = Lengths(c, x.dims[axis]);
  for (size_t i = 0; i < lengths.size(); ++i) {
    DDim out = x.dims;
    out[axis] = lengths[i];
    c.SetOutput("Out", i, out, x.dtype, axis == 0 ? LoD{} : x.lod);
  }
}

void RunSplit(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const int axis = SplitAxis(c, x.dims());
  const DDim strides = StridesOf(x);
  int64_t offset = 0;
  for (size_t i = 0; i < c.OutputCount("Out"); ++i) {
    Tensor& out = c.Output("Out", i);
    // A part that is read where it is needs no copy.
    if (MutableBytes(out) != Bytes(x) + offset * ElementSize(x))
      CopyBox(out.dims(), x, offset, strides, out, 0, StridesOf(out), c.threads());
    offset += out.dims()[axis] * strides[axis];
  }
}

REGISTER_LITE_OP(split)
    .Input("X")
    .OptionalInput("AxisTensor")
    .OptionalInputs("SectionsTensorList")
    .Outputs("Out")
    .Attr<std::vector<int32_t>>("sections", {})
    .Attr<int32_t>("num", 0)
    .Attr<int32_t>("axis", 0)
    .InferShape(InferSplit);
REGISTER_LITE_FUNCTION(split, kHost, kAny, kNCHW, RunSplit, def);
REGISTER_LITE_FUNCTION(split, kHost, kFloat, kNHWC, RunSplit, nhwc, false, false, true, true);

void InferUnbind(InferContext& c) { InferUnstack(c, "Out", /*keep_lod=*/true); }

void RunUnbind(KernelContext& c) { Unstack(c, "Out"); }

REGISTER_LITE_OP(unbind).Input("X").Outputs("Out").Attr<int32_t>("axis", 0).InferShape(InferUnbind);
REGISTER_LITE_FUNCTION(unbind, kHost, kAny, kNCHW, RunUnbind, def);

void InferUnstackOp(InferContext& c) {
  const int num = c.Attr<int32_t>("num");
  c.Require(num == 0 || static_cast<size_t>(num) == c.OutputCount("Y"), "num is ", num,
            ", but Y has ", c.OutputCount("Y"), " tensors");
  InferUnstack(c, "Y", /*keep_lod=*/false);
}

void RunUnstack(KernelContext& c) { Unstack(c, "Y"); }

REGISTER_LITE_OP(unstack)
    .Input("X")
    .Outputs("Y")
    .Attr<int32_t>("axis", 0)
    .Attr<int32_t>("num", 0)
    .InferShape(InferUnstackOp);
REGISTER_LITE_FUNCTION(unstack, kHost, kAny, kNCHW, RunUnstack, def);

}  // namespace
}  // namespace paddle::lite
