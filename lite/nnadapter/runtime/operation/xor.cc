#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(XOR)
    .Doc(
        "output = true where one of input0 and input1 is and the other is not, element by element.")
    .Like(Comparison(kBool));

}  // namespace
}  // namespace nnadapter::runtime
