#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(NOT).Doc("output = !input, element by element.").Like(Unary(kBool));

}  // namespace
}  // namespace nnadapter::runtime
