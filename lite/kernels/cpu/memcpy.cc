// Copies between the places of a tensor; there is one place here.
#include "lite/kernels/cpu/data_movement.h"

namespace paddle::lite {
namespace {

void RunMemcpy(KernelContext& c) { CopyElements(c.Input("X"), c.Output("Out")); }

#define REGISTER_COPY(op)                  \
  REGISTER_LITE_OP(op)                     \
      .Input("X")                          \
      .Output("Out")                       \
      .InferShape(InferSameAs("X", "Out")) \
      .View("X", "Out");                   \
  REGISTER_LITE_FUNCTION(op, kHost, kAny, kNCHW, RunMemcpy, def)

REGISTER_COPY(memcpy);
REGISTER_COPY(memcpy_d2h);
REGISTER_COPY(memcpy_h2d);

}  // namespace
}  // namespace paddle::lite
