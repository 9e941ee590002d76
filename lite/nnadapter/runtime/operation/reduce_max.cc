#include "lite/nnadapter/runtime/operation/reduce.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(REDUCE_MAX)
    .Doc("The largest number along axes.")
    .Like(Reduction([](int64_t a, int64_t b) { return std::max(a, b); }));

}  // namespace
}  // namespace nnadapter::runtime
