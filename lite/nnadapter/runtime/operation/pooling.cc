// Pooling.
#include "lite/nnadapter/runtime/operation/elementwise.h"
#include "lite/nnadapter/runtime/operation/operands.h"
#include "lite/nnadapter/runtime/operation/window.h"

namespace nnadapter::runtime {

namespace {

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

}  // namespace

INFER(AVERAGE_POOL_2D) {
  c.Bool("count_include_pad");
  c.SetOutput("output", c.Precision("input"), PoolDims(c));
}

INFER(MAX_POOL_2D) {
  const Dims dims = PoolDims(c);
  // Who wants no indices may leave their type at 0.
  const bool wanted = c.Bool("return_indices") || c.HasOutput("indices");
  c.SetOutput("output", c.Precision("input"), dims);
  if (wanted) c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
}

INFER(ADAPTIVE_AVERAGE_POOL_2D) {
  c.SetOutput("output", c.Precision("input"), AdaptivePoolDims(c));
}

INFER(ADAPTIVE_MAX_POOL_2D) {
  const Dims dims = AdaptivePoolDims(c);
  c.SetOutput("output", c.Precision("input"), dims);
  c.SetOutput("indices", IndexPrecision(c, "return_indices_dtype"), dims);
}

}  // namespace nnadapter::runtime
