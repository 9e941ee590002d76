#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

void RunFillZerosLike(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  void* data = out.MutableRaw(x.dtype());
  if (out.numel() != 0) std::memset(data, 0, out.memory_size());
}

REGISTER_LITE_OP(fill_zeros_like)
    .Input("X")
    .Output("Out")
    .ShapeOnly()
    .InferShape(InferSameAs("X", "Out"));
REGISTER_LITE_FUNCTION(fill_zeros_like, kHost, kAny, kAny, RunFillZerosLike, def);

}  // namespace
}  // namespace paddle::lite
