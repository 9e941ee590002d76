#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(SIGMOID)
    .Doc("output = 1 / (1 + exp(-input)), element by element.")
    .Like(Unary(kFloats | kQuantized));

}  // namespace
}  // namespace nnadapter::runtime
