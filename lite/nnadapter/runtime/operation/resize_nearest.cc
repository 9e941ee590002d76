#include "lite/nnadapter/runtime/operation/resize.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(RESIZE_NEAREST)
    .Doc("Another size of images by the nearest element.")
    .Input("input", kFloats | kIndex | PrecisionBit(NNADAPTER_UINT8) | kQuantized,
           "[N, C, ...] with one to three spatial axes")
    .Like(DeclareResize)
    .Output("output", "of the type of input")
    .Infer(InferResize);

}  // namespace
}  // namespace nnadapter::runtime
