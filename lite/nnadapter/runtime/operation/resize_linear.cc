#include "lite/nnadapter/runtime/operation/resize.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(RESIZE_LINEAR)
    .Doc("Another size of images by linear interpolation along each spatial axis.")
    .Input("input", kFloats | PrecisionBit(NNADAPTER_UINT8) | kQuantized,
           "[N, C, ...] with one to three spatial axes")
    .Like(DeclareResize)
    .Int("align_mode",
         "0: src = (dst + 0.5) * ratio - 0.5; 1: src = dst * ratio; not used with align_corners")
    .Output("output", "of the type of input")
    .Infer([](InferContext& c) {
      const int64_t mode = c.Int("align_mode");
      c.Require(mode == 0 || mode == 1, "align_mode is ", mode, ", expected 0 or 1");
      InferResize(c);
    });

}  // namespace
}  // namespace nnadapter::runtime
