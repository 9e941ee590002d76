#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// A short list of one integer is the start of many a shape.
void FoldList(InferContext& c, const Dims& dims) {
  const auto value = c.Values("value");
  if (!value || value->size() != 1 || dims.size() > 1) return;
  const int32_t count = dims.empty() ? 1 : dims[0];
  if (count >= 0 && count <= NNADAPTER_MAX_SIZE_OF_DIMENSIONS)
    c.SetValues("output", Dims(static_cast<size_t>(count), (*value)[0]));
}

REGISTER_OPERATION(FILL)
    .Doc("Makes a tensor of one value.")
    .Shape("shape", "the shape of output")
    .Input("value", kBool | kIndex | kFloat32, "one number, the value of every element")
    .Output("output", "of the type of value")
    .Infer([](InferContext& c) {
      const Dims dims = ShapeListOf(c, "shape");
      const int64_t count = Product(c.DimsOf("value"), 0, c.DimsOf("value").size());
      c.Require(count == 1 || count == kUnknown, "value has shape ", DimsText(c.DimsOf("value")),
                ", expected one number");
      c.SetOutput("output", c.Precision("value"), dims);
      FoldList(c, dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
