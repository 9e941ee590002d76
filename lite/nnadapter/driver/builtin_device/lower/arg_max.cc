#include "lite/nnadapter/driver/builtin_device/lower/arg_reduce.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ARG_MAX, [](Lowering& l) { LowerArgReduce(l, "arg_max"); });

}  // namespace
}  // namespace nnadapter::builtin_device
