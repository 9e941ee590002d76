#include <algorithm>

#include "lite/kernels/cpu/segments.h"

namespace paddle::lite {
namespace {

// What [start:end:stride] selects of an axis. An end of -1 with a negative stride means "down to
// the first element"; other negative indexes count from the end.
Segment Select(int64_t start, int64_t end, int64_t stride, int64_t size) {
  if (stride == 0) throw ShapeError("a stride is 0");
  stride = std::clamp<int64_t>(stride, -size - 1, size + 1);  // longer ones select as much
  if (start < 0) start = std::max<int64_t>(start + size, 0);
  if (end < 0 && !(end == -1 && stride < 0)) end = std::max<int64_t>(end + size, 0);
  const int64_t first = stride < 0 ? std::min(start, size - 1) : std::min(start, size);
  const int64_t last = stride < 0 ? end : std::min(end, size);
  if (stride < 0 ? start < end : start > end)
    throw ShapeError(StrCat("the slice ", start, ":", end, " of an axis of ", size,
                            " is empty for stride ", stride));
  const int64_t span = stride < 0 ? first - last : last - first;
  const int64_t step = stride < 0 ? -stride : stride;
  return {0, span <= 0 ? 0 : (span - 1) / step + 1, first, stride};
}

// The same as numpy reads it: every negative index counts from the end, an empty slice is no error.
Segment SelectAsNumpy(int64_t start, int64_t end, int64_t stride, int64_t size) {
  if (stride == 0) throw ShapeError("a stride is 0");
  stride = std::clamp<int64_t>(stride, -size - 1, size + 1);
  const int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? size - 1 : size;
  const int64_t first = std::clamp(start < 0 ? start + size : start, low, std::max(low, high));
  const int64_t last = std::clamp(end < 0 ? end + size : end, low, std::max(low, high));
  const int64_t span = stride < 0 ? first - last : last - first;
  if (span <= 0) return {0, 0, 0, 1};
  return {0, (span - 1) / (stride < 0 ? -stride : stride) + 1, first, stride};
}

template <typename Context>
std::vector<Segments> Parse(const Context& c) {
  const DDim& dims = DimsOf(c, "Input");
  const auto& axes = c.template Attr<std::vector<int32_t>>("axes");
  const auto starts = IntsOf<int32_t>(c, "StartsTensorList", "StartsTensor", "starts");
  const auto ends = IntsOf<int32_t>(c, "EndsTensorList", "EndsTensor", "ends");
  const auto strides = IntsOf<int32_t>(c, "StridesTensorList", "StridesTensor", "strides");
  if (starts.size() != axes.size() || ends.size() != axes.size() || strides.size() != axes.size())
    throw ShapeError(StrCat("axes has ", axes.size(), " elements, but there are ", starts.size(),
                            " starts, ", ends.size(), " ends and ", strides.size(), " strides"));
  const auto select = c.template Attr<bool>("as_numpy") ? SelectAsNumpy : Select;
  std::vector<Segments> segments;
  for (const int64_t dim : dims) segments.push_back(WholeAxis(dim));
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = CanonicalAxis(axes[i], dims.size(), "an element of axes");
    segments[static_cast<size_t>(axis)] = {select(starts[i], ends[i], strides[i], dims[axis])};
  }
  return segments;
}

void InferStridedSlice(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  DDim selected;
  for (const Segments& segments : Parse(c)) selected.push_back(segments[0].size);
  bool dropped[DDim::kMaxRank] = {};
  const auto& decrease = c.Attr<std::vector<int32_t>>("decrease_axis");
  for (const int axis : decrease) {
    const int at = CanonicalAxis(axis, selected.size(), "an element of decrease_axis");
    c.Require(selected[at] == 1, "decrease_axis ", at, " has ", selected[at],
              " elements after slicing ", input.dims, ", expected 1");
    dropped[at] = true;
  }
  DDim out;
  for (int i = 0; i < selected.size(); ++i)
    if (!dropped[i]) out.push_back(selected[i]);
  if (out.empty() && !decrease.empty()) out.push_back(1);
  c.SetOutput("Out", out, input.dtype, input.lod);
}

void RunStridedSlice(KernelContext& c) {
  const auto segments = Parse(c);
  Tensor& out = c.Output("Out");
  MutableBytes(out);
  if (out.layout() == DataLayoutType::kNHWC)
    return CopySegments(segments, c.Input("Input"), out, nullptr, c.threads());
  // Dropped axes have one element: Out's memory is that of the undiminished shape.
  DDim selected;
  for (const Segments& axis : segments) selected.push_back(axis[0].size);
  Tensor whole(TensorMeta{selected, out.dtype(), {}});
  whole.Bind(out.raw_data(), out.memory_size());
  CopySegments(segments, c.Input("Input"), whole, nullptr, c.threads());
}

REGISTER_LITE_OP(strided_slice)
    .Input("Input")
    .OptionalInput("StartsTensor")
    .OptionalInput("EndsTensor")
    .OptionalInput("StridesTensor")
    .OptionalInputs("StartsTensorList")
    .OptionalInputs("EndsTensorList")
    .OptionalInputs("StridesTensorList")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axes")
    .Attr<std::vector<int32_t>>("starts", {})
    .Attr<std::vector<int32_t>>("ends", {})
    .Attr<std::vector<int32_t>>("strides", {})
    .Attr<std::vector<int32_t>>("decrease_axis", {})
    .Attr<bool>("as_numpy", false)  // of NNAdapter's SLICE, in no program
    .InferShape(InferStridedSlice);
REGISTER_LITE_FUNCTION(strided_slice, kHost, kAny, kNCHW, RunStridedSlice, def);
REGISTER_LITE_FUNCTION(strided_slice, kHost, kFloat, kNHWC, RunStridedSlice, nhwc);

}  // namespace
}  // namespace paddle::lite
