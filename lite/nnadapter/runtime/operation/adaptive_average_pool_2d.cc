#include "lite/nnadapter/runtime/operation/pool.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ADAPTIVE_AVERAGE_POOL_2D)
    .Doc(
        "The average of each of H_out x W_out windows that cover the image evenly: window i of an "
        "axis spans [floor(i * in / out), ceil((i + 1) * in / out)).")
    .Input("input", kFloats | kQuantized, "[N, C, H, W]")
    .Ints("output_shape", "[H_out, W_out]")
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .Infer([](InferContext& c) {
      c.SetOutput("output", c.Precision("input"), AdaptivePoolDims(c));
    });

}  // namespace
}  // namespace nnadapter::runtime
