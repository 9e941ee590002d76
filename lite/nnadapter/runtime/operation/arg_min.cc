#include "lite/nnadapter/runtime/operation/arg_reduce.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(ARG_MIN)
    .Doc("Where the smallest element along an axis stands.")
    .Like(DeclareArgReduce);

}  // namespace
}  // namespace nnadapter::runtime
