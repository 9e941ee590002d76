// max_pool2d_with_index: what Paddle exports for adaptive max pooling, and where indexes are
// wanted.
#include "lite/kernels/nnadapter/build_blocks.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

void Convert(Conversion& c) {
  Operand* x = c.Input("X");
  const bool global = c.Bool("global_pooling");
  const bool indexed = c.OutputCount("Mask") > 0;
  std::vector<std::string> outputs = {"Out"};
  if (indexed) outputs.emplace_back("Mask");
  if (global || c.Bool("adaptive")) {
    Operand* size = c.Int32s(global ? std::vector<int64_t>{1, 1} : c.Ints("ksize"));
    return c.EmitTo(outputs, NNADAPTER_ADAPTIVE_MAX_POOL_2D,
                    {x, size, c.Bool8(indexed), c.Int32(NNADAPTER_INT32)});
  }
  std::vector<int64_t> pads = c.Ints("paddings");
  if (pads.size() == 2) pads = {pads[0], pads[0], pads[1], pads[1]};
  c.EmitTo(outputs, NNADAPTER_MAX_POOL_2D,
           {x, c.Int32(NNADAPTER_AUTO_PAD_NONE), c.Int32s(pads), c.Int32s(c.Ints("ksize")),
            c.Int32s(c.Ints("strides")), c.Bool8(c.Bool("ceil_mode")), c.Bool8(indexed),
            c.Int32(NNADAPTER_INT32), c.Int32(NNADAPTER_FUSED_NONE)});
}

REGISTER_NNADAPTER_CONVERTER(max_pool2d_with_index, Convert);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
