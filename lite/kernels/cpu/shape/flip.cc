#include "lite/kernels/cpu/shape/flip.h"

#include "lite/kernels/cpu/indexing/segments.h"

namespace paddle::lite {
namespace {

void InferFlip(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const auto& axes = c.Attr<std::vector<int32_t>>("axis");
  bool named[DDim::kMaxRank] = {};
  for (const int axis : axes) {
    const int at = CanonicalAxis(axis, x.dims.size(), "an element of axis");
    c.Require(!named[at], "axis names dimension ", at, " twice");
    named[at] = true;
  }
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

REGISTER_LITE_OP(flip)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axis")
    .InferShape(InferFlip);
REGISTER_LITE_FUNCTION(flip, kHost, kAny, kNCHW, FlipAxes, def);
REGISTER_LITE_FUNCTION(flip, kHost, kFloat, kNHWC, FlipAxes, nhwc);

void InferReverse(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const auto& axes = c.Attr<std::vector<int32_t>>("axis");
  c.Require(!axes.empty(), "axis is empty");
  for (const int axis : axes) CanonicalAxis(axis, x.dims.size(), "an element of axis");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

REGISTER_LITE_OP(reverse)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axis")
    .InferShape(InferReverse);
REGISTER_LITE_FUNCTION(reverse, kHost, kAny, kNCHW, FlipAxes, def);
REGISTER_LITE_FUNCTION(reverse, kHost, kFloat, kNHWC, FlipAxes, nhwc);

// How far each axis is shifted, in [0, size); one axis of all elements where `axis` is empty.
template <typename Context>
std::vector<int64_t> ShiftsOf(const Context& c, const DDim& dims) {
  const auto shifts = IntsOf<int64_t>(c, "", "ShiftsTensor", "shifts");
  const auto& axes = c.template Attr<std::vector<int64_t>>("axis");
  if (shifts.size() != (axes.empty() ? 1 : axes.size()))
    throw ShapeError(StrCat("there are ", shifts.size(), " shifts for ", axes.size(), " axes"));
  const DDim rolled = axes.empty() ? DDim{dims.production()} : dims;
  std::vector<int64_t> by_axis(static_cast<size_t>(rolled.size()));
  for (size_t i = 0; i < shifts.size(); ++i) {
    const int axis = axes.empty() ? 0 : CanonicalAxis(axes[i], dims.size(), "an element of axis");
    const int64_t size = rolled[axis];
    if (size == 0) continue;
    int64_t& shift = by_axis[static_cast<size_t>(axis)];
    shift = (shift + shifts[i] % size + size) % size;
  }
  return by_axis;
}

void InferRoll(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  if (!c.HasInput("ShiftsTensor")) ShiftsOf(c, x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

void RunRoll(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  MutableBytes(out);
  const auto shifts = ShiftsOf(c, x.dims());
  const bool flat = c.Attr<std::vector<int64_t>>("axis").empty();
  const DDim dims = flat ? DDim{x.numel()} : x.dims();
  std::vector<Segments> axes;
  for (int i = 0; i < dims.size(); ++i) {
    const int64_t shift = shifts[static_cast<size_t>(i)], size = dims[i];
    axes.push_back({{shift, size - shift, 0, 1}});
    if (shift != 0) axes.back().push_back({0, shift, size - shift, 1});
  }
  Tensor from = x, to = out;
  from.Resize(dims);
  to.Resize(dims);
  CopySegments(axes, from, to, nullptr, c.threads());
}

REGISTER_LITE_OP(roll)
    .Input("X")
    .OptionalInput("ShiftsTensor")
    .Output("Out")
    .Attr<std::vector<int64_t>>("shifts", {})
    .Attr<std::vector<int64_t>>("axis", {})
    .InferShape(InferRoll);
REGISTER_LITE_FUNCTION(roll, kHost, kAny, kNCHW, RunRoll, def);

}  // namespace
}  // namespace paddle::lite
