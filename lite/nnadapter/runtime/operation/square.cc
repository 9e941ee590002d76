#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SQUARE)
    .Doc("output = input * input, element by element.")
    .Like(Unary(kFloats | kIndex | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
