#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SQUEEZE, [](Lowering& l) {
  l.Emit("squeeze2", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"axes", l.Has("axes") ? l.I32s("axes") : Ints32{}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
