#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(LRN)
    .Doc(
        "Local response normalisation: output = input / (bias + alpha * s)^beta, where s is the "
        "sum of the squares of `size` neighbouring channels, (size - 1) / 2 of them before.")
    .Input("input", kFloats | kQuantized, "[N, C, H, W]")
    .Int("size", "how many channels are summed, at least 1")
    .Float("bias", "a positive number keeps the base from 0")
    .Float("alpha", "the factor of the sum")
    .Float("beta", "the exponent")
    .Output("output", "of the type and shape of input")
    .Infer([](InferContext& c) {
      RequireImages(c, "input");
      const int64_t size = c.Int("size");
      c.Require(size >= 1 && size <= INT32_MAX, "size is ", size,
                ", expected a number of at least 1");
      for (const char* name : {"bias", "alpha", "beta"}) c.Float(name);
      c.SetOutput("output", c.Precision("input"), c.DimsOf("input"));
    });

}  // namespace
}  // namespace nnadapter::runtime
