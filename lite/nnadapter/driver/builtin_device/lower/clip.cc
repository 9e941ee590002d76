#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

bool IsFloatConstant(const Lowering& l, const char* name) {
  return l.IsConstant(name) && l.Type(name).precision == NNADAPTER_FLOAT32;
}

// Attributes let the plan fold it into the operator before.
REGISTER_LOWERING(CLIP, [](Lowering& l) {
  if (IsFloatConstant(l, "min") && IsFloatConstant(l, "max"))
    l.Emit("clip", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
           {{"min", l.Float("min")}, {"max", l.Float("max")}});
  else
    l.Emit("clip", {{"X", {l.In("input")}}, {"Min", {l.In("min")}}, {"Max", {l.In("max")}}},
           {{"Out", {l.Out("output")}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
