// `slice` whose Input is a list of tensors: the tensors [start, end), or with decrease_axis the one
// at start.
#include <algorithm>

#include "lite/core/base/errors.h"
#include "lite/kernels/control_flow/list.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {
namespace {

int64_t OneOf(const KernelContext& c, const char* list, const char* tensor, const char* attribute) {
  const std::vector<int64_t> values = IntsOf<int32_t>(c, list, tensor, attribute);
  if (values.size() != 1)
    throw ShapeError(StrCat(attribute, " has ", values.size(), " elements, expected one"));
  return values[0];
}

void RunSliceOfList(KernelContext& c) {
  const TensorList& tensors = ListInput(c, "Input");
  const auto size = static_cast<int64_t>(tensors.size());
  const auto position = [&](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + size : index, 0, size);
  };
  const int64_t start = OneOf(c, "StartsTensorList", "StartsTensor", "starts");
  const int64_t begin = position(start);
  const int64_t end = position(OneOf(c, "EndsTensorList", "EndsTensor", "ends"));
  if (c.Attr<std::vector<int32_t>>("decrease_axis").empty()) {
    c.Output("Out") =
        ListTensor(tensors.Part(static_cast<size_t>(begin), static_cast<size_t>(end)));
    return;
  }
  if (begin >= size || !tensors[static_cast<size_t>(begin)].has_value())
    throw ShapeError(
        StrCat("position ", start, " is not in the list, which has ", size, " tensors"));
  c.Output("Out").CopyDataFrom(tensors[static_cast<size_t>(begin)]);
}

REGISTER_LITE_OP(slice_of_list)
    .Input("Input")
    .OptionalInput("StartsTensor")
    .OptionalInput("EndsTensor")
    .OptionalInputs("StartsTensorList")
    .OptionalInputs("EndsTensorList")
    .Output("Out")
    .Attr<std::vector<int32_t>>("axes", {})
    .Attr<std::vector<int32_t>>("starts", {})
    .Attr<std::vector<int32_t>>("ends", {})
    .Attr<std::vector<int32_t>>("decrease_axis", {})
    .InferShape([](InferContext&) {})
    .DataDependent()
    .WholeVariables();
REGISTER_LITE_FUNCTION(slice_of_list, kHost, kAny, kNCHW, RunSliceOfList, def);

}  // namespace
}  // namespace paddle::lite
