#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(DIV)
    .Doc("output = input0 / input1, element by element; a quotient of integers is cut off.")
    .Like(Arithmetic([](int64_t a, int64_t b) {
      return b == 0 ? int64_t{NNADAPTER_UNKNOWN} : a / b;
    }));

}  // namespace
}  // namespace nnadapter::runtime
