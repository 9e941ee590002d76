#include "lite/nnadapter/driver/builtin_device/lower/arg_reduce.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ARG_MIN, [](Lowering& l) { LowerArgReduce(l, "arg_min"); });

}  // namespace
}  // namespace nnadapter::builtin_device
