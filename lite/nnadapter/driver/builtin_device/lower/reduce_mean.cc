#include "lite/nnadapter/driver/builtin_device/lower/reduce.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(REDUCE_MEAN, [](Lowering& l) { LowerReduce(l, "reduce_mean"); });

}  // namespace
}  // namespace nnadapter::builtin_device
