#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(AND)
    .Doc("output = input0 && input1, element by element.")
    .Like(Comparison(kBool));

}  // namespace
}  // namespace nnadapter::runtime
