// pool2d: one operator for what are four operations.
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

int AutoPad(const std::string& algorithm) {
  return algorithm == "SAME"    ? NNADAPTER_AUTO_PAD_SAME
         : algorithm == "VALID" ? NNADAPTER_AUTO_PAD_VALID
                                : NNADAPTER_AUTO_PAD_NONE;
}

void Adaptive(Conversion& c, bool max, const std::vector<int64_t>& size) {
  Operand *x = c.Input("X"), *shape = c.Int32s(size);
  if (max)
    c.EmitTo({"Out"}, NNADAPTER_ADAPTIVE_MAX_POOL_2D,
             {x, shape, c.Bool8(false), c.Int32(NNADAPTER_INT32)});
  else
    c.EmitTo({"Out"}, NNADAPTER_ADAPTIVE_AVERAGE_POOL_2D, {x, shape});
}

// Paddle takes a window that sticks out of the padded image by less than a stride, and leaves out
// what is not there: pads that it may cover do the same.
void FitPads(Conversion& c, const std::vector<int64_t>& dims, const std::vector<int64_t>& kernel,
             const std::vector<int64_t>& strides, std::vector<int64_t>* pads) {
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t size = dims[axis + 2], stride = strides[axis];
    int64_t& after = (*pads)[2 * axis + 1];
    const int64_t out = kernel[axis] - (size + (*pads)[2 * axis] + after);
    const int64_t allowed = c.Bool("ceil_mode") ? 2 * stride - 2 : stride - 1;
    if (size != NNADAPTER_UNKNOWN && out > 0 && out <= allowed) after += out;
  }
}

void ConvertPool2d(Conversion& c) {
  Operand* x = c.Input("X");
  const std::vector<int64_t> dims = c.Dims(x);
  const bool max = c.Text("pooling_type") == "max";
  std::vector<int64_t> kernel = c.Ints("ksize"), pads = c.Ints("paddings");
  std::vector<int64_t> strides = c.Ints("strides");
  if (pads.size() == 2) pads = {pads[0], pads[0], pads[1], pads[1]};
  int auto_pad = AutoPad(c.Text("padding_algorithm"));
  const bool adaptive = c.Bool("adaptive");
  // Paddle's takes the size, but not the windows.
  if (max && adaptive)
    c.Refuse("it is an adaptive max pooling, whose windows are not those of NNAdapter");
  // Few devices know adaptive pooling, all know a window of the whole image.
  if (c.Bool("global_pooling") || (adaptive && kernel == std::vector<int64_t>{1, 1})) {
    const bool known = dims[2] != NNADAPTER_UNKNOWN && dims[3] != NNADAPTER_UNKNOWN;
    if (!known) return Adaptive(c, max, {1, 1});
    kernel = {dims[2], dims[3]};
    strides = {1, 1};
    pads = {0, 0, 0, 0};
    auto_pad = NNADAPTER_AUTO_PAD_NONE;
  } else if (adaptive) {
    return Adaptive(c, max, kernel);
  }
  const bool leaves_out = max || c.Bool("exclusive");
  if (leaves_out && auto_pad == NNADAPTER_AUTO_PAD_NONE) FitPads(c, dims, kernel, strides, &pads);
  Operand *ceil = c.Bool8(c.Bool("ceil_mode")), *none = c.Int32(NNADAPTER_FUSED_NONE);
  std::vector<Operand*> inputs = {
      x, c.Int32(auto_pad), c.Int32s(pads), c.Int32s(kernel), c.Int32s(strides), ceil};
  if (max) {
    inputs.insert(inputs.end(), {c.Bool8(false), c.Int32(NNADAPTER_INT32), none});
    return c.EmitTo({"Out"}, NNADAPTER_MAX_POOL_2D, inputs);
  }
  inputs.insert(inputs.end(), {c.Bool8(!c.Bool("exclusive")), none});
  c.EmitTo({"Out"}, NNADAPTER_AVERAGE_POOL_2D, inputs);
}

REGISTER_NNADAPTER_CONVERTER(pool2d, ConvertPool2d);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
