#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// The dimension for -1: what input has over the other dimensions. Unknown dimensions that are
// copied by a 0 stand on both sides and cancel out.
int32_t InferRest(const InferContext& c, const Dims& input, const Dims& shape, const Dims& out) {
  Dims above, below;
  for (size_t i = 0; i < input.size(); ++i)
    if (i >= shape.size() || shape[i] != 0) above.push_back(input[i]);
  for (size_t i = 0; i < out.size(); ++i)
    if (shape[i] != 0 && shape[i] != -1) below.push_back(out[i]);
  const int64_t total = Product(above, 0, above.size()), rest = Product(below, 0, below.size());
  if (total == kUnknown || rest == kUnknown) return kUnknown;
  c.Require(total % rest == 0, "input of shape ", DimsText(input), " does not fit shape ",
            DimsText(shape));
  return ToDim(c, total / rest);
}

Dims InferReshape(const InferContext& c, const Dims& input, const Dims& shape) {
  Dims out = shape;
  int open = -1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == kUnknown) continue;
    c.Require(shape[i] >= -1 && (shape[i] != -1 || open < 0), "shape is ", DimsText(shape),
              ", expected numbers from 0 and at most one -1");
    if (shape[i] == -1) open = static_cast<int>(i);
    if (shape[i] != 0) continue;
    c.Require(i < input.size(), "shape ", DimsText(shape), " copies dimension ", i,
              " of input, which has shape ", DimsText(input));
    out[i] = input[i];
  }
  for (size_t i = 0; open >= 0 && i < out.size(); ++i)
    c.Require(out[i] != 0, "the -1 in shape ", DimsText(shape),
              " can be anything for input of shape ", DimsText(input));
  if (open >= 0) out[static_cast<size_t>(open)] = InferRest(c, input, shape, out);
  const int64_t from = Product(input, 0, input.size()), to = Product(out, 0, out.size());
  c.Require(from == kUnknown || to == kUnknown || from == to, "input of shape ", DimsText(input),
            " does not fit shape ", DimsText(shape));
  return out;
}

REGISTER_OPERATION(RESHAPE)
    .Doc("Gives the elements of a tensor another shape.")
    .Input("input", kAny, "a tensor")
    .Shape("shape",
           "the new shape: 0 copies the dimension of input at that place, one -1 stands for what "
           "remains")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      const Dims shape = ShapeListOf(c, "shape");
      c.Require(!shape.empty(), "shape is empty, expected at least one number");
      const Dims out = InferReshape(c, c.DimsOf("input"), shape);
      c.SetOutput("output", c.Precision("input"), out);
      PassValues(c, "input", "output", out.size());
    });

}  // namespace
}  // namespace nnadapter::runtime
