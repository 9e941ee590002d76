#include "lite/nnadapter/runtime/operation/arg_reduce.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ARG_MAX)
    .Doc("Where the largest element along an axis stands.")
    .Like(DeclareArgReduce);

}  // namespace
}  // namespace nnadapter::runtime
