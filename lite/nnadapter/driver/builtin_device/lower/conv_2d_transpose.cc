#include "lite/nnadapter/driver/builtin_device/lower/window.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(CONV_2D_TRANSPOSE, [](Lowering& l) {
  lite::AttributeMap attributes = WindowAttributes(l, true);
  attributes["groups"] = l.I32("group");
  Slots inputs = {
      {"Input", {l.In("input")}}, {"Filter", {l.In("filter")}}, {"Bias", l.OptionalIn("bias")}};
  const bool sized = l.Has("output_shape") && l.DimsOf("output_shape") != runtime::Dims{0};
  if (sized && l.IsConstant("output_shape"))
    attributes["output_size"] = l.I32s("output_shape");
  else if (sized)
    inputs["OutputSizeTensor"] = {l.In("output_shape")};
  if (l.Has("output_padding") && !sized) attributes["output_padding"] = l.I32s("output_padding");
  l.EmitFused("conv2d_transpose", inputs, "Output", "output", attributes);
});

}  // namespace
}  // namespace nnadapter::builtin_device
