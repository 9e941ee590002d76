#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(TOP_K, [](Lowering& l) {
  const bool wide = TypeForCode(l.Int("return_indices_dtype")) == lite::DataType::kInt64;
  const ValueId indices = wide ? l.Out("indices") : l.Temp();
  const auto k = l.Known("k");
  l.Emit("top_k_v2", {{"X", {l.In("input")}}, {"K", l.Computed("k")}},
         {{"Out", {l.Out("output")}}, {"Indices", {indices}}},
         {{"k", k ? k->at(0) : 1}, {"axis", l.I32("axis")}, {"largest", l.Bool("largest")}});
  if (!wide) l.EmitCast(indices, lite::DataType::kInt64, lite::DataType::kInt32, l.Out("indices"));
});

}  // namespace
}  // namespace nnadapter::builtin_device
