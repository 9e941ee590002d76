#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SWISH)
    .Doc("output = input / (1 + exp(-input)), element by element.")
    .Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
