#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ADAPTIVE_MAX_POOL_2D, [](Lowering& l) {
  const bool wide = l.Int("return_indices_dtype", NNADAPTER_INT64) == NNADAPTER_INT64;
  Slots outputs = {{"Out", {l.Out("output")}}};
  ValueId mask = 0;
  if (l.HasOutput("indices")) outputs["Mask"] = {mask = wide ? l.Temp() : l.Out("indices")};
  l.Emit("max_pool2d_with_index", {{"X", {l.In("input")}}}, outputs,
         {{"ksize", l.I32s("output_shape")}, {"adaptive", true}});
  if (l.HasOutput("indices") && wide)
    l.Emit("cast", {{"X", {mask}}}, {{"Out", {l.Out("indices")}}},
           {{"out_dtype", static_cast<int32_t>(lite::DataType::kInt64)}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
