#include "lite/nnadapter/runtime/operation/pool.h"

#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {

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

int32_t IndexPrecision(const InferContext& c, const char* name) {
  const int64_t code = c.Int(name, NNADAPTER_INT64);
  c.Require(code == NNADAPTER_INT32 || code == NNADAPTER_INT64, name, " is ", code,
            ", expected 5 (INT32) or 7 (INT64)");
  return static_cast<int32_t>(code);
}

}  // namespace nnadapter::runtime
