#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ABS)
    .Doc("output = |input|, element by element.")
    .Like(Unary(kFloats | kIndex | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
