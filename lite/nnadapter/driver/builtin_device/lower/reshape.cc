#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(RESHAPE, [](Lowering& l) {
  l.Emit("reshape2", {{"X", {l.In("input")}}, {"Shape", l.Computed("shape")}},
         {{"Out", {l.Out("output")}}}, {{"shape", l.Known("shape").value_or(Ints32{})}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
