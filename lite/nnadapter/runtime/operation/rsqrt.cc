#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(RSQRT)
    .Doc("output = 1 / sqrt(input), element by element.")
    .Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
