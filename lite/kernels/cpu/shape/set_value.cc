#include <algorithm>

#include "lite/kernels/cpu/creation/fill.h"

namespace paddle::lite {
namespace {

struct SetValueBox {
  DDim begin, size, step;  // by axis of Input
  DDim dims, strides;      // of what Value is broadcast to: without decrease_axes, with none_axes
};

// [start:end:step] of an axis; an end of -1 with a negative step means "down to the first".
void SelectOnAxis(SetValueBox* box, int axis, int64_t start, int64_t end, int64_t step,
                  int64_t dim) {
  if (step == 0) throw ShapeError(StrCat("the step of axis ", axis, " is 0"));
  step = std::clamp<int64_t>(step, -dim - 1, dim + 1);  // longer ones select as much
  if (start < 0) start += dim;
  if (step > 0) {
    if (end < 0) end += dim;
    start = std::clamp<int64_t>(start, 0, dim);
    end = std::clamp<int64_t>(end, 0, dim);
  } else {
    if (end < -1) end += dim;
    start = std::clamp<int64_t>(start, -1, dim - 1);
    end = std::clamp<int64_t>(end, -1, dim - 1);
  }
  const int64_t span = step > 0 ? end - start : start - end;
  const int64_t stride = step > 0 ? step : -step;
  box->begin[axis] = start;
  box->size[axis] = span <= 0 ? 0 : (span - 1) / stride + 1;
  box->step[axis] = step;
}

template <typename Context>
SetValueBox ParseSetValueBox(const Context& c) {
  const DDim& dims = DimsOf(c, "Input");
  const auto& axes = c.template Attr<std::vector<int64_t>>("axes");
  const auto starts = IntsOf<int64_t>(c, "StartsTensorList", "", "starts");
  const auto ends = IntsOf<int64_t>(c, "EndsTensorList", "", "ends");
  const auto steps = IntsOf<int64_t>(c, "StepsTensorList", "", "steps");
  if (starts.size() != axes.size() || ends.size() != axes.size() || steps.size() != axes.size())
    throw ShapeError(StrCat("axes has ", axes.size(), " elements, but there are ", starts.size(),
                            " starts, ", ends.size(), " ends and ", steps.size(), " steps"));
  SetValueBox box{dims, dims, dims, {}, {}};
  for (int i = 0; i < dims.size(); ++i) {
    box.begin[i] = 0;
    box.step[i] = 1;
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const int axis = CanonicalAxis(axes[i], dims.size(), "an element of axes");
    SelectOnAxis(&box, axis, starts[i], ends[i], steps[i], dims[axis]);
  }
  return box;
}

// The dimensions that Value is broadcast to, with their strides in the output.
template <typename Context>
void FindTarget(const Context& c, SetValueBox* box) {
  const DDim strides = RowMajorStrides(DimsOf(c, "Input"));
  const auto& decrease = c.template Attr<std::vector<int64_t>>("decrease_axes");
  const auto& none = c.template Attr<std::vector<int64_t>>("none_axes");
  size_t added = 0;
  for (int i = 0; i < strides.size(); ++i) {
    for (; added < none.size() && none[added] <= i; ++added) {
      box->dims.push_back(1);
      box->strides.push_back(0);
    }
    if (std::find(decrease.begin(), decrease.end(), i) != decrease.end()) {
      if (box->size[i] != 1)
        throw ShapeError(StrCat("decrease_axes ", i, " has ", box->size[i], " elements, not 1"));
      continue;
    }
    box->dims.push_back(box->size[i]);
    box->strides.push_back(strides[i] * box->step[i]);
  }
  for (; added < none.size(); ++added) {
    box->dims.push_back(1);
    box->strides.push_back(0);
  }
}

struct Values {
  DDim dims;
  std::vector<FillValue> list;  // empty: the input ValueTensor
};

template <typename T, typename Context>
bool Read(const Context& c, const char* name, std::vector<FillValue>* list) {
  for (const T value : c.template Attr<std::vector<T>>(name)) {
    if constexpr (std::is_integral_v<T>)
      list->push_back({0, static_cast<int64_t>(value), true});
    else
      list->push_back(FillValue::Of(static_cast<double>(value)));
  }
  return !list->empty();
}

template <typename Context>
Values ValuesOf(const Context& c) {
  Values values;
  if (HasSlot(c, "ValueTensor")) {
    values.dims = DimsOf(c, "ValueTensor");
    return values;
  }
  const auto& shape = c.template Attr<std::vector<int64_t>>("shape");
  values.dims = DDim(shape);
  auto* list = &values.list;
  if (!(Read<double>(c, "values", list) || Read<float>(c, "fp32_values", list) ||
        Read<double>(c, "fp64_values", list) || Read<int64_t>(c, "int64_values", list) ||
        Read<int32_t>(c, "int32_values", list) || Read<int32_t>(c, "bool_values", list)))
    throw LiteError("set_value has neither ValueTensor nor values");
  if (values.dims.production() != static_cast<int64_t>(list->size()))
    throw ShapeError(
        StrCat("attribute shape is ", values.dims, ", but there are ", list->size(), " values"));
  return values;
}

void InferSetValue(InferContext& c) {
  const TensorMeta& input = c.Input("Input");
  if (c.HasInput("ValueTensor") && c.Input("ValueTensor").dtype != input.dtype)
    throw DataTypeError(StrCat("ValueTensor is ", Name(c.Input("ValueTensor").dtype),
                               ", but Input is ", Name(input.dtype)));
  SetValueBox box = ParseSetValueBox(c);
  FindTarget(c, &box);
  const DDim value = ValuesOf(c).dims;
  const int extra = value.size() - box.dims.size();
  for (int i = 0; i < value.size(); ++i)
    c.Require(value[i] == 1 || (i >= extra && value[i] == box.dims[i - extra]), "a value of shape ",
              value, " does not fit the selected ", box.dims);
  c.SetOutput("Out", input.dims, input.dtype);
}

void RunSetValue(KernelContext& c) {
  const Tensor& input = c.Input("Input");
  Tensor& out = c.Output("Out");
  CopyElements(input, out);
  SetValueBox box = ParseSetValueBox(c);
  FindTarget(c, &box);
  const Values values = ValuesOf(c);
  std::vector<char> stored(values.list.size() * kMaxElementSize);
  const char* from = stored.data();
  char* to = stored.data();
  for (const FillValue& value : values.list) to += StoreElement(value, out.dtype(), to);
  if (values.list.empty()) from = Bytes(c.Input("ValueTensor"));
  const DDim value_strides = RowMajorStrides(values.dims);
  const int extra = values.dims.size() - box.dims.size();
  math::CopyLoops loops;
  for (int i = 0; i < box.dims.size(); ++i) {
    const int at = i + extra;
    loops.Add(box.dims[i], at < 0 || values.dims[at] == 1 ? 0 : value_strides[at], box.strides[i]);
  }
  const DDim strides = RowMajorStrides(input.dims());
  int64_t offset = 0;
  for (int i = 0; i < strides.size(); ++i) offset += box.begin[i] * strides[i];
  if (box.dims.production() == 0) return;
  loops.Run(from, MutableBytes(out) + offset * ElementSize(out), SizeOf(out.dtype()), c.threads());
}

REGISTER_LITE_OP(set_value)
    .Input("Input")
    .OptionalInput("ValueTensor")
    .OptionalInputs("StartsTensorList")
    .OptionalInputs("EndsTensorList")
    .OptionalInputs("StepsTensorList")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .Attr<std::vector<int64_t>>("starts", {})
    .Attr<std::vector<int64_t>>("ends", {})
    .Attr<std::vector<int64_t>>("steps", {})
    .Attr<std::vector<int64_t>>("decrease_axes", {})
    .Attr<std::vector<int64_t>>("none_axes", {})
    .Attr<std::vector<int64_t>>("shape", {})
    .Attr<std::vector<double>>("values", {})
    .Attr<std::vector<float>>("fp32_values", {})
    .Attr<std::vector<double>>("fp64_values", {})
    .Attr<std::vector<int64_t>>("int64_values", {})
    .Attr<std::vector<int32_t>>("int32_values", {})
    .Attr<std::vector<int32_t>>("bool_values", {})
    .InferShape(InferSetValue);
REGISTER_LITE_FUNCTION(set_value, kHost, kAny, kNCHW, RunSetValue, def);

}  // namespace
}  // namespace paddle::lite
