#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(MIN)
    .Doc("The smaller of two numbers, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return std::min(a, b); }));

}  // namespace
}  // namespace nnadapter::runtime
