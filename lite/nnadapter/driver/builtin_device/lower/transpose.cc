#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(TRANSPOSE, [](Lowering& l) {
  Ints32 perm = l.Has("perm") ? l.I32s("perm") : Ints32{};
  const int32_t rank = l.Rank("input");
  if (perm.empty())
    for (int32_t i = rank; i-- > 0;) perm.push_back(i);
  for (int32_t& axis : perm)
    if (axis < 0) axis += rank;
  l.Emit("transpose2", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}}, {{"axis", perm}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
