#include "lite/nnadapter/runtime/operation/reduce.h"

namespace nnadapter::runtime {
namespace {

REGISTER_OPERATION(REDUCE_SUM).Doc("The sum along axes.").Like(Reduction([](int64_t a, int64_t b) {
  return a + b;
}));

}  // namespace
}  // namespace nnadapter::runtime
