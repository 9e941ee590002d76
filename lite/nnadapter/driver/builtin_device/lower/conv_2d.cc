#include "lite/nnadapter/driver/builtin_device/lower/window.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CONV_2D, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, true);
  attributes["groups"] = l.I32("group");
  l.EmitFused(
      "conv2d",
      {{"Input", {l.In("input")}}, {"Filter", {l.In("filter")}}, {"Bias", l.OptionalIn("bias")}},
      "Output", "output", attributes);
});

}  // namespace
}  // namespace nnadapter::builtin_device
