#include <algorithm>
#include <cstring>

#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void InferTrilTriu(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  c.Require(x.dims.size() >= 2, "X has shape ", x.dims, ", expected two dimensions or more");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// Of each matrix what lies on and below (or above) a diagonal; the rest becomes 0.
void RunTrilTriu(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  const int64_t rows = dims[dims.size() - 2], cols = dims.back(), size = ElementSize(x);
  const int64_t diagonal = c.Attr<int32_t>("diagonal");
  const bool lower = c.Attr<bool>("lower");
  const char* from = Bytes(x);
  char* to = MutableBytes(c.Output("Out"));
  const int64_t total = cols == 0 ? 0 : dims.Count(0, dims.size() - 1);
  for (int64_t line = 0; line < total; ++line) {
    const int64_t at = line % rows + diagonal;  // the diagonal's column in this row
    const int64_t begin = lower ? 0 : std::clamp<int64_t>(at, 0, cols);
    const int64_t end = lower ? std::clamp<int64_t>(at + 1, 0, cols) : cols;
    std::memset(to, 0, static_cast<size_t>(cols * size));
    std::memcpy(to + begin * size, from + begin * size, static_cast<size_t>((end - begin) * size));
    from += cols * size;
    to += cols * size;
  }
}

REGISTER_LITE_OP(tril_triu)
    .Input("X")
    .Output("Out")
    .Attr<int32_t>("diagonal", 0)
    .Attr<bool>("lower", false)
    .InferShape(InferTrilTriu);
REGISTER_LITE_FUNCTION(tril_triu, kHost, kAny, kNCHW, RunTrilTriu, def);

}  // namespace
}  // namespace paddle::lite
