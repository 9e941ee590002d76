#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(SHAPE, [](Lowering& l) {
  const bool wide = l.Int("dtype") == NNADAPTER_INT64;
  const ValueId shape = wide ? l.Temp() : l.Out("output");
  l.Emit("shape", {{"Input", {l.Stored("input")}}}, {{"Out", {shape}}});
  if (!wide) return;
  l.EmitCast(shape, lite::DataType::kInt32, lite::DataType::kInt64, l.Out("output"));
});

}  // namespace
}  // namespace nnadapter::builtin_device
