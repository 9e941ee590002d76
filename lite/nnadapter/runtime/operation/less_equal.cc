#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(LESS_EQUAL)
    .Doc("output = input0 <= input1, element by element.")
    .Like(Comparison(kAny));

}  // namespace
}  // namespace nnadapter::runtime
