#include "lite/nnadapter/driver/builtin_device/lower/elementwise.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(LRN, [](Lowering& l) {
  LowerUnary(l, "lrn",
             {{"n", l.I32("size")},
              {"k", l.Float("bias")},
              {"alpha", l.Float("alpha")},
              {"beta", l.Float("beta")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
