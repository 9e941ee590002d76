#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// The CPU's layer_norm keeps at least one axis of rows.
REGISTER_LOWERING(LAYER_NORMALIZATION, [](Lowering& l) {
  const int rank = l.Rank("input");
  int32_t begin = l.I32("begin_norm_axis");
  if (begin < 0) begin += rank;
  const bool whole = begin == 0;
  const lite::AttributeMap front = {{"axes", std::vector<int32_t>{0}}};
  ValueId input = l.In("input");
  l.Support(!whole || rank < 8, "all 8 axes are normalised, the CPU does at most 7");
  const ValueId output = l.Out("output"), result = whole ? l.Temp() : output;
  if (whole) {
    const ValueId row = l.Temp();
    l.Emit("unsqueeze2", {{"X", {input}}}, {{"Out", {row}}}, front);
    input = row;
    begin = 1;
  }
  l.Emit("layer_norm",
         {{"X", {input}}, {"Scale", l.OptionalIn("scale")}, {"Bias", l.OptionalIn("bias")}},
         {{"Y", {result}}}, {{"begin_norm_axis", begin}, {"epsilon", l.Float("epsilon")}});
  if (whole) l.Emit("squeeze2", {{"X", {result}}}, {{"Out", {output}}}, front);
});

}  // namespace
}  // namespace nnadapter::builtin_device
