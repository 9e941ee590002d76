#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(FLATTEN, [](Lowering& l) {
  LowerUnary(l, "flatten_contiguous_range",
             {{"start_axis", l.I32("start_axis")}, {"stop_axis", l.I32("end_axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
