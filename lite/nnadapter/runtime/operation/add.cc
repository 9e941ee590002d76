#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ADD)
    .Doc("output = input0 + input1, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return a + b; }));

}  // namespace
}  // namespace nnadapter::runtime
