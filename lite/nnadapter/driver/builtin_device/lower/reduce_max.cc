#include "lite/nnadapter/driver/builtin_device/lower/reduce.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(REDUCE_MAX, [](Lowering& l) { LowerReduce(l, "reduce_max"); });

}  // namespace
}  // namespace nnadapter::builtin_device
