#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(TANH)
    .Doc("The hyperbolic tangent, element by element.")
    .Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
