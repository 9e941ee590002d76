#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(GATHER, [](Lowering& l) {
  l.Emit("take", {{"X", {l.In("input")}}, {"Index", {l.In("indices")}}},
         {{"Out", {l.Out("output")}}}, {{"axis", l.I32("axis")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
