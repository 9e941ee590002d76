#include "lite/kernels/cpu/io_copy.h"

#include <cstring>

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(io_copy).Input("Input").Output("Out").InferShape(InferSameAs("Input", "Out"));
REGISTER_LITE_FUNCTION(io_copy, kHost, kAny, kAny, IoCopy, def);

}  // namespace

void IoCopy(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  void* data = out.MutableRaw(x.dtype());
  if (x.numel() != 0 && data != x.raw_data()) std::memcpy(data, x.raw_data(), x.memory_size());
}

}  // namespace paddle::lite
