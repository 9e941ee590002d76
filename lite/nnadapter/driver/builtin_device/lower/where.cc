#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(WHERE, [](Lowering& l) {
  l.Emit("where",
         {{"Condition", {l.In("condition")}}, {"X", {l.In("input0")}}, {"Y", {l.In("input1")}}},
         {{"Out", {l.Out("output")}}}, {{"broadcast", true}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
