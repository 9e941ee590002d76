#include "lite/nnadapter/runtime/operation/reduce.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(REDUCE_MEAN).Doc("The mean along axes.").Like(Reduction(nullptr));

}  // namespace
}  // namespace nnadapter::runtime
