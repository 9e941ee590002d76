#include "lite/nnadapter/runtime/operation/pool.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ADAPTIVE_MAX_POOL_2D)
    .Doc(
        "The largest element of each of H_out x W_out windows that cover the image evenly: window "
        "i of an axis spans [floor(i * in / out), ceil((i + 1) * in / out)).")
    .Input("input", kFloats | kQuantized, "[N, C, H, W]")
    .Ints("output_shape", "[H_out, W_out]")
    .OptionalBool("return_indices", "whether indices is wanted; absent: no")
    .OptionalInt("return_indices_dtype", "the type of indices, 5 (INT32) or 7 (INT64, if absent)")
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .OptionalOutput("indices",
                    "where the elements stand in their image, row by row; the first of "
                    "equal ones")
    .Infer([](InferContext& c) {
      const Dims dims = AdaptivePoolDims(c);
      c.SetOutput("output", c.Precision("input"), dims);
      c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
    });

}  // namespace
}  // namespace nnadapter::runtime
