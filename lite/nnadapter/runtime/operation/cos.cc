#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(COS).Doc("The cosine, element by element.").Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
