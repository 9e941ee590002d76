#include "lite/nnadapter/driver/builtin_device/lower/window.h"

namespace nnadapter::builtin_device {
namespace {

// The CPU's pool2d counts as much padding at the end of an axis as at its begin. Where they differ
// the padding is made of elements, which then count like others.
REGISTER_LOWERING(AVERAGE_POOL_2D, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, false);
  const bool counts = l.Bool("count_include_pad");
  attributes["pooling_type"] = std::string("avg");
  attributes["ksize"] = l.I32s("kernel_shape");
  attributes["ceil_mode"] = l.Bool("ceil_mode");
  attributes["exclusive"] = !counts;
  ValueId input = l.In("input");
  const bool same = l.Int("auto_pad") == NNADAPTER_AUTO_PAD_SAME;
  const auto pads =
      counts && same ? SamePads(l) : std::get<std::vector<int32_t>>(attributes["paddings"]);
  const bool uneven = pads[0] != pads[1] || pads[2] != pads[3];
  if (counts && uneven && l.Int("auto_pad") != NNADAPTER_AUTO_PAD_VALID) {
    const ValueId padded = l.Temp();
    l.Emit("pad2d", {{"X", {input}}}, {{"Out", {padded}}}, {{"paddings", pads}});
    input = padded;
    attributes["paddings"] = std::vector<int32_t>(4, 0);
    attributes["padding_algorithm"] = std::string("EXPLICIT");
    attributes["exclusive"] = true;
  } else if (counts && same) {
    attributes["paddings"] = pads;
    attributes["padding_algorithm"] = std::string("EXPLICIT");
  }
  l.EmitFused("pool2d", {{"X", {input}}}, "Out", "output", attributes);
});

}  // namespace
}  // namespace nnadapter::builtin_device
