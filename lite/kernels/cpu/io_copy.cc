// io_copy, and io_copy_once of a constant: a copy between devices elsewhere; here every CPU target
// shares its memory, so a plain copy.
#include <cstring>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
namespace {

// Input -> Out in the input's layout.
void RunIoCopy(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  Tensor& out = c.Output("Out");
  out.set_layout(x.layout());
  void* data = out.MutableRaw(x.dtype());
  if (x.numel() != 0 && data != x.raw_data()) std::memcpy(data, x.raw_data(), x.memory_size());
}

#define REGISTER_IO_COPY(type)                                                                 \
  REGISTER_LITE_OP(type).Input("Input").Output("Out").InferShape(InferSameAs("Input", "Out")); \
  REGISTER_LITE_FUNCTION(type, kHost, kAny, kAny, RunIoCopy, def)

REGISTER_IO_COPY(io_copy);
REGISTER_IO_COPY(io_copy_once);

}  // namespace
}  // namespace paddle::lite
