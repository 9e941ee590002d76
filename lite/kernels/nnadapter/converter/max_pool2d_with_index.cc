// max_pool2d_with_index: what Paddle exports for adaptive max pooling, and where indexes are
// wanted.
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

void ConvertMaxPool2dWithIndex(Conversion& c) {
  Operand* x = c.Input("X");
  const bool global = c.Bool("global_pooling");
  const bool indexed = c.OutputCount("Mask") > 0;
  std::vector<std::string> outputs = {"Out"};
  if (indexed) outputs.emplace_back("Mask");
  std::vector<int64_t> kernel = c.Ints("ksize"), strides = c.Ints("strides");
  std::vector<int64_t> pads = c.Ints("paddings");
  if (pads.size() == 2) pads = {pads[0], pads[0], pads[1], pads[1]};
  if (global) kernel = {1, 1};
  if (global || c.Bool("adaptive")) {
    const std::vector<int64_t> dims = c.Dims(x);
    const bool known = dims[2] != NNADAPTER_UNKNOWN && dims[3] != NNADAPTER_UNKNOWN;
    if (!known || kernel != std::vector<int64_t>{1, 1})
      return c.EmitTo(outputs, NNADAPTER_ADAPTIVE_MAX_POOL_2D,
                      {x, c.Int32s(kernel), c.Bool8(indexed), c.Int32(NNADAPTER_INT32)});
    // Few devices know adaptive pooling, all know a window of the whole image.
    kernel = {dims[2], dims[3]};
    strides = {1, 1};
    pads = {0, 0, 0, 0};
  }
  c.EmitTo(outputs, NNADAPTER_MAX_POOL_2D,
           {x, c.Int32(NNADAPTER_AUTO_PAD_NONE), c.Int32s(pads), c.Int32s(kernel),
            c.Int32s(strides), c.Bool8(c.Bool("ceil_mode")), c.Bool8(indexed),
            c.Int32(NNADAPTER_INT32), c.Int32(NNADAPTER_FUSED_NONE)});
}

REGISTER_NNADAPTER_CONVERTER(max_pool2d_with_index, ConvertMaxPool2dWithIndex);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
