#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SOFTPLUS, [](Lowering& l) {
  l.Emit("softplus", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"beta", l.Float("beta")}, {"threshold", l.Float("threshold")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
