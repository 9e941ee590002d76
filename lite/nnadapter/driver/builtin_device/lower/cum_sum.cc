#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CUM_SUM, [](Lowering& l) {
  LowerUnary(l, "cumsum",
             {{"axis", l.I32("axis")},
              {"exclusive", l.Bool("exclusive")},
              {"reverse", l.Bool("reverse")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
