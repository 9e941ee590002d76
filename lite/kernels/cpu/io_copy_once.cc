// io_copy of a constant.
#include "lite/kernels/cpu/io_copy.h"

namespace paddle::lite {
namespace {

REGISTER_LITE_OP(io_copy_once).Input("Input").Output("Out").InferShape(InferSameAs("Input", "Out"));
REGISTER_LITE_FUNCTION(io_copy_once, kHost, kAny, kAny, IoCopy, def);

}  // namespace
}  // namespace paddle::lite
