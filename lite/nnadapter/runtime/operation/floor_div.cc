#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(FLOOR_DIV)
    .Doc("output = floor(input0 / input1), element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) {
      if (b == 0) return int64_t{NNADAPTER_UNKNOWN};
      return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    }));

}  // namespace
}  // namespace nnadapter::runtime
