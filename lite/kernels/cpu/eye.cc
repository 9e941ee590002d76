#include <algorithm>
#include <cstring>

#include "lite/kernels/cpu/fill.h"

namespace paddle::lite {
namespace {

void InferEye(InferContext& c) {
  const int64_t rows = c.Attr<int64_t>("num_rows"), given = c.Attr<int64_t>("num_columns");
  const int64_t cols = given == -1 ? rows : given;
  c.Require(rows >= 0 && cols >= 0, "a matrix of ", rows, " rows and ", cols, " columns");
  c.SetOutput("Out", {rows, cols}, DataTypeFrom(c.Attr<int32_t>("dtype"), "dtype"));
}

void RunEye(KernelContext& c) {
  Tensor& out = c.Output("Out");
  const int64_t rows = out.dims()[0], cols = out.dims()[1], size = ElementSize(out);
  Fill(out, FillValue::Of(0), c.threads());
  char one[kMaxElementSize];
  StoreElement(FillValue::Of(1), out.dtype(), one);
  char* to = MutableBytes(out);
  for (int64_t i = 0; i < std::min(rows, cols); ++i)
    std::memcpy(to + i * (cols + 1) * size, one, static_cast<size_t>(size));
}

REGISTER_LITE_OP(eye)
    .Output("Out")
    .RequiredAttr<int64_t>("num_rows")
    .Attr<int64_t>("num_columns", -1)
    .Attr<int32_t>("dtype", static_cast<int32_t>(DataType::kFP32))
    .InferShape(InferEye);
REGISTER_LITE_FUNCTION(eye, kHost, kAny, kNCHW, RunEye, def);

}  // namespace
}  // namespace paddle::lite
