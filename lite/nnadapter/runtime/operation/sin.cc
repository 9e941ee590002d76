#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SIN).Doc("The sine, element by element.").Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
