#include <cstring>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/gather.h"

namespace paddle::lite {
namespace {

void RunMaskedSelect(KernelContext& c) {
  const Tensor& mask = c.Input("Mask");
  if (mask.dtype() != DataType::kBool)
    throw DataTypeError(StrCat("Mask is ", Name(mask.dtype()), ", expected bool"));
  const DDim dims = BroadcastDims(c.Input("X").dims(), mask.dims(), -1);
  const Tensor x = Repeated(c.Input("X"), dims, c.threads());
  const Tensor masks = Repeated(mask, dims, c.threads());
  const char* chosen = Bytes(masks);
  const int64_t total = x.numel(), size = ElementSize(x);
  int64_t count = 0;
  for (int64_t i = 0; i < total; ++i) count += chosen[i] != 0;
  Tensor& out = c.Output("Y");
  out.Allocate({count}, x.dtype());
  char* to = MutableBytes(out);
  for (int64_t i = 0; i < total;) {
    int64_t end = i;
    while (end < total && chosen[end] != 0) ++end;
    if (end > i) std::memcpy(to, Bytes(x) + i * size, static_cast<size_t>((end - i) * size));
    to += (end - i) * size;
    i = end + 1;
  }
}

REGISTER_LITE_OP(masked_select)
    .Input("X")
    .Input("Mask")
    .Output("Y")
    .InferShape([](InferContext&) {})
    .DataDependent();
REGISTER_LITE_FUNCTION(masked_select, kHost, kAny, kNCHW, RunMaskedSelect, def);

}  // namespace
}  // namespace paddle::lite
