#include <algorithm>
#include <cstring>

#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

void InferFillDiagonal(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "X has shape ", x.dims, ", expected two dimensions or more");
  for (int i = 1; x.dims.size() > 2 && i < x.dims.size(); ++i)
    c.Require(x.dims[i] == x.dims[0], "X has shape ", x.dims, ", expected equal dimensions");
  c.SetOutput("Out", x.dims, x.dtype);
}

// The elements whose coordinates are all equal, moved by `offset` within their rows. `wrap` goes on
// below the square part of a matrix, a row further.
void RunFillDiagonal(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  CopyElements(x, out);
  const DDim& dims = x.dims();
  const int64_t cols = dims[1], offset = c.Attr<int32_t>("offset"), size = ElementSize(x);
  const DDim strides = RowMajorStrides(dims);
  int64_t step = 0;
  for (int i = 0; i < strides.size(); ++i) step += strides[i];
  int64_t end = x.numel();
  if (dims.size() == 2 && !c.Attr<bool>("wrap")) end = std::min(end, cols * cols);
  char value[kMaxElementSize];
  StoreElement(FillValue::Of(c.Attr<float>("value")), x.dtype(), value);
  char* to = MutableBytes(out);
  for (int64_t i = 0; i < end; i += step) {
    const int64_t col = i % cols + offset;
    if (col >= 0 && col < cols && i + offset < end)
      std::memcpy(to + (i + offset) * size, value, static_cast<size_t>(size));
  }
}

REGISTER_LITE_OP(fill_diagonal)
    .Input("X")
    .Output("Out")
    .Attr<float>("value", 0.0f)
    .Attr<int32_t>("offset", 0)
    .Attr<bool>("wrap", false)
    .InferShape(InferFillDiagonal);
REGISTER_LITE_FUNCTION(fill_diagonal, kHost, kAny, kNCHW, RunFillDiagonal, def);

}  // namespace
}  // namespace paddle::lite
