#include <algorithm>

#include "lite/kernels/cpu/data_movement.h"

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

}  // namespace
}  // namespace paddle::lite
