#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(RELU6)
    .Doc("output = min(6, max(0, input)), element by element.")
    .Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
