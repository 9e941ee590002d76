#include "lite/nnadapter/runtime/operation/elementwise.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(MAX)
    .Doc("The larger of two numbers, element by element.")
    .Like(Arithmetic([](int64_t a, int64_t b) { return std::max(a, b); }));

}  // namespace
}  // namespace nnadapter::runtime
