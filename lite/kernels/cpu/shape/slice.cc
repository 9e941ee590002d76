#include <algorithm>

#include "lite/kernels/cpu/indexing/segments.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

struct SliceBox {
  DDim begin, dims;  // by axis of Input
};

int64_t Position(int64_t index, int64_t size) {
  return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
}

// [start, end) on each of `axes`; a range that begins after its end, both inside, is a mistake.
template <typename Context>
SliceBox ParseSliceBox(const Context& c) {
  const DDim& dims = DimsOf(c, "Input");
  const auto& axes = c.template Attr<std::vector<int32_t>>("axes");
  const auto starts = IntsOf<int32_t>(c, "StartsTensorList", "StartsTensor", "starts");
  const auto ends = IntsOf<int32_t>(c, "EndsTensorList", "EndsTensor", "ends");
  if (starts.size() != axes.size() || ends.size() != axes.size())
    throw ShapeError(StrCat("axes has ", axes.size(), " elements, but there are ", starts.size(),
                            " starts and ", ends.size(), " ends"));
  SliceBox box{dims, dims};
  for (int i = 0; i < dims.size(); ++i) box.begin[i] = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = CanonicalAxis(axes[i], dims.size(), "an element of axes");
    const int64_t begin = Position(starts[i], dims[axis]), end = Position(ends[i], dims[axis]);
    if (begin > end)
      throw ShapeError(StrCat("the slice ", starts[i], ":", ends[i], " of axis ", axis,
                              " of shape ", dims, " begins after its end"));
    box.begin[axis] = begin;
    box.dims[axis] = end - begin;
  }
  return box;
}

void InferSlice(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  const SliceBox box = ParseSliceBox(c);
  bool dropped[DDim::kMaxRank] = {};
  for (const int axis : c.Attr<std::vector<int32_t>>("decrease_axis")) {
    const int at = CanonicalAxis(axis, box.dims.size(), "an element of decrease_axis");
    c.Require(box.dims[at] == 1, "decrease_axis ", at, " has ", box.dims[at],
              " elements after slicing ", input.dims, ", expected 1");
    dropped[at] = true;
  }
  DDim out;
  for (int i = 0; i < box.dims.size(); ++i)
    if (!dropped[i]) out.push_back(box.dims[i]);
  const auto& axes = c.Attr<std::vector<int32_t>>("axes");
  const bool rows = std::find(axes.begin(), axes.end(), 0) != axes.end();
  c.SetOutput("Out", out, input.dtype, rows ? LoD{} : input.lod);
}

void RunSlice(KernelContext& c) {
  const Tensor& input = c.Input("Input");
  Tensor& out = c.Output("Out");
  const SliceBox box = ParseSliceBox(c);
  const DDim from = StridesOf(input);
  int64_t offset = 0;
  for (int i = 0; i < from.size(); ++i) offset += box.begin[i] * from[i];
  // Dropped axes have one element: row-major strides of the whole box serve Out as well.
  const bool nhwc = out.layout() == DataLayoutType::kNHWC && out.dims().size() == 4;
  const DDim to = nhwc ? StridesOf(out) : RowMajorStrides(box.dims);
  CopyBox(box.dims, input, offset, from, out, 0, to, c.threads());
}

REGISTER_LITE_OP(slice)
    .Input("Input")
    .OptionalInput("StartsTensor")
    .OptionalInput("EndsTensor")
    .OptionalInputs("StartsTensorList")
    .OptionalInputs("EndsTensorList")
    .Output("Out")
    .RequiredAttr<std::vector<int32_t>>("axes")
    .Attr<std::vector<int32_t>>("starts", {})
    .Attr<std::vector<int32_t>>("ends", {})
    .Attr<std::vector<int32_t>>("decrease_axis", {})
    .InferShape(InferSlice);
REGISTER_LITE_FUNCTION(slice, kHost, kAny, kNCHW, RunSlice, def);
REGISTER_LITE_FUNCTION(slice, kHost, kFloat, kNHWC, RunSlice, nhwc, false, false, true, true);

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

template <typename Context>
DDim OffsetsOf(const Context& c) {
  return DDim(HasSlot(c, "Offsets") ? IntValues(c, "Offsets")
                                    : IntsOf<int32_t>(c, "OffsetsTensor", "", "offsets"));
}

// A box of `shape` at `offsets`; -1 goes to the end of the dimension.
void SetCropped(InferContext& c, DDim out, const DDim& offsets) {
  const TensorMeta& x = c.Input("X");
  c.Require(out.size() == x.dims.size() && offsets.size() == x.dims.size(), "shape is ", out,
            " and offsets ", offsets, ", but X has shape ", x.dims);
  for (int i = 0; i < out.size(); ++i) {
    c.Require(offsets[i] >= 0 && offsets[i] <= x.dims[i], "offset ", offsets[i],
              " lies outside dimension ", i, " of X of shape ", x.dims);
    if (out[i] == -1) out[i] = x.dims[i] - offsets[i];
    c.Require(out[i] >= 0 && out[i] <= x.dims[i] - offsets[i], "shape ", out, " at offsets ",
              offsets, " leaves X of shape ", x.dims);
  }
  c.SetOutput("Out", out, x.dtype, x.lod);
}

void InferCropTensor(InferContext& c) {
  const DDim shape(c.HasInput("Shape") ? c.IntValues("Shape")
                                       : IntsOf<int32_t>(c, "ShapeTensor", "", "shape"));
  SetCropped(c, shape, OffsetsOf(c));
}

// The older operator takes the shape of another tensor.
template <typename Context>
DDim OldOffsetsOf(const Context& c) {
  return DDim(IntsOf<int32_t>(c, "", "Offsets", "offsets"));
}

void InferOld(InferContext& c) {
  const DDim shape = c.HasInput("Y") ? c.Dims("Y") : DDim(IntsOf<int32_t>(c, "", "", "shape"));
  SetCropped(c, shape, OldOffsetsOf(c));
}

void Crop(KernelContext& c, const DDim& offsets) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  const DDim from = StridesOf(x);
  int64_t offset = 0;
  for (int i = 0; i < from.size(); ++i) offset += offsets[i] * from[i];
  CopyBox(out.dims(), x, offset, from, out, 0, StridesOf(out), c.threads());
}

void RunCropTensor(KernelContext& c) { Crop(c, OffsetsOf(c)); }
void RunOld(KernelContext& c) { Crop(c, OldOffsetsOf(c)); }

REGISTER_LITE_OP(crop_tensor)
    .Input("X")
    .OptionalInput("Shape")
    .OptionalInputs("ShapeTensor")
    .OptionalInput("Offsets")
    .OptionalInputs("OffsetsTensor")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .Attr<std::vector<int32_t>>("offsets", {})
    .InferShape(InferCropTensor);
REGISTER_LITE_FUNCTION(crop_tensor, kHost, kAny, kNCHW, RunCropTensor, def);
REGISTER_LITE_FUNCTION(crop_tensor, kHost, kFloat, kNHWC, RunCropTensor, nhwc);

REGISTER_LITE_OP(crop)
    .Input("X")
    .OptionalInput("Y")
    .OptionalInput("Offsets")
    .Output("Out")
    .Attr<std::vector<int32_t>>("shape", {})
    .Attr<std::vector<int32_t>>("offsets", {})
    .InferShape(InferOld);
REGISTER_LITE_FUNCTION(crop, kHost, kAny, kNCHW, RunOld, def);

}  // namespace
}  // namespace paddle::lite
