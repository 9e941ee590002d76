#include "lite/nnadapter/driver/builtin_device/lower/reduce.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(REDUCE_SUM, [](Lowering& l) { LowerReduce(l, "reduce_sum"); });

}  // namespace
}  // namespace nnadapter::builtin_device
