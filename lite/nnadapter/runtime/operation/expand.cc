#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// One dimension of input, broadcast; -1 keeps it.
int32_t Expanded(const InferContext& c, int32_t dim, int32_t wanted, const Dims& input,
                 const Dims& shape) {
  if (wanted == kUnknown) return dim == 1 ? kUnknown : dim;
  c.Require(wanted >= -1, "shape is ", DimsText(shape), ", expected numbers from -1");
  if (wanted == -1 || wanted == 1) return dim;
  c.Require(dim == 1 || dim == kUnknown || dim == wanted, "input of shape ", DimsText(input),
            " does not expand to ", DimsText(shape));
  return wanted;
}

REGISTER_OPERATION(EXPAND)
    .Doc("Repeats the axes that have one element, as numpy broadcasting does, to fit a shape.")
    .Input("input", kAny, "a tensor")
    .Shape("shape",
           "at least as many numbers as input has axes; -1 keeps the dimension of input, so does "
           "1")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      const Dims input = c.DimsOf("input"), shape = ShapeListOf(c, "shape");
      c.Require(shape.size() >= input.size(), "shape ", DimsText(shape),
                " has fewer numbers than input has axes: ", DimsText(input));
      const size_t added = shape.size() - input.size();
      Dims output = shape;
      for (size_t i = 0; i < shape.size(); ++i) {
        c.Require(i >= added || shape[i] >= 0 || shape[i] == kUnknown, "shape is ", DimsText(shape),
                  ", but input of shape ", DimsText(input), " has no dimension for its ", shape[i]);
        if (i >= added) output[i] = Expanded(c, input[i - added], shape[i], input, shape);
      }
      c.SetOutput("output", c.Precision("input"), output);
    });

}  // namespace
}  // namespace nnadapter::runtime
