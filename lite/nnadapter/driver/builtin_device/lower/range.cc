#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RANGE, [](Lowering& l) {
  l.Emit("range", {{"Start", {l.In("start")}}, {"End", {l.In("end")}}, {"Step", {l.In("step")}}},
         {{"Out", {l.Out("output")}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
