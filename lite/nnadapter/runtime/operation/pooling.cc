// Pooling.
#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {
namespace {

void DeclarePool(OperationInfo& info) {
  info.Input("input", kFloats | kQuantized, "[N, C, H, W]")
      .Like(DeclarePads)
      .Ints("kernel_shape", "[height, width] of a window")
      .Ints("strides", "[height, width] from window to window")
      .Bool("ceil_mode", "whether the number of windows is rounded up, otherwise down");
}

Dims PoolDims(const InferContext& c) {
  RequireImages(c, "input");
  CheckFuseCode(c);
  Dims dims = c.DimsOf("input");
  const std::array<int64_t, 2> kernel = PairOf(c, "kernel_shape", 1);
  for (size_t axis = 0; axis < 2; ++axis) {
    const int32_t input = dims[axis + 2];
    const Window window = WindowOf(c, axis, input, kernel[axis], false);
    dims[axis + 2] = WindowCount(c, window, input, c.Bool("ceil_mode"));
  }
  return dims;
}

Dims AdaptivePoolDims(const InferContext& c) {
  RequireImages(c, "input");
  const std::array<int64_t, 2> shape = PairOf(c, "output_shape", 1);
  Dims dims = c.DimsOf("input");
  for (size_t axis = 0; axis < 2; ++axis) {
    c.Require(dims[axis + 2] != 0, "input has shape ", DimsText(dims), ", which has no elements");
    dims[axis + 2] = static_cast<int32_t>(shape[axis]);
  }
  return dims;
}

REGISTER_OPERATION(AVERAGE_POOL_2D)
    .Doc(
        "The average of the elements in windows over images. In ceil_mode a window that reaches "
        "beyond the padded image is clipped at its edge.")
    .Like(DeclarePool)
    .Bool("count_include_pad", "whether padding counts as elements of value 0")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .Infer([](InferContext& c) {
      c.Bool("count_include_pad");
      c.SetOutput("output", c.Precision("input"), PoolDims(c));
    });

REGISTER_OPERATION(MAX_POOL_2D)
    .Doc("The largest element in windows over images.")
    .Like(DeclarePool)
    .Bool("return_indices", "whether output indices is wanted")
    .Int("return_indices_dtype", "the type of indices: NNADAPTER_INT32 or NNADAPTER_INT64")
    .Like(DeclareFuseCode)
    .Output("output", "[N, C, H_out, W_out] of the type of input")
    .OptionalOutput("indices", "where in its plane [H, W] each element was, of the shape of output")
    .Infer([](InferContext& c) {
      const Dims dims = PoolDims(c);
      // Who wants no indices may leave their type at 0.
      const bool wanted = c.Bool("return_indices") || c.HasOutput("indices");
      c.SetOutput("output", c.Precision("input"), dims);
      if (wanted) c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
    });

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
