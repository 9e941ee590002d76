// Products of matrices.
#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(MAT_MUL, [](Lowering& l) {
  l.Emit("matmul_v2", {{"X", {l.In("x")}}, {"Y", {l.In("y")}}}, {{"Out", {l.Out("output")}}},
         {{"trans_x", l.Bool("transpose_x")}, {"trans_y", l.Bool("transpose_y")}});
});

REGISTER_LOWERING(FULLY_CONNECTED, [](Lowering& l) {
  ValueId rows = l.In("input");
  if (l.Rank("input") != 2) {
    const int32_t size = l.DimsOf("weight")[1];
    l.Support(size != NNADAPTER_UNKNOWN, "weight has an unknown number of columns");
    const ValueId flat = l.Temp();
    l.Emit("reshape2", {{"X", {rows}}}, {{"Out", {flat}}},
           {{"shape", std::vector<int32_t>{-1, size}}});
    rows = flat;
  }
  const Slots factors = {{"X", {rows}}, {"Y", {l.In("weight")}}};
  const lite::AttributeMap transposed = {{"trans_y", true}};
  if (!l.Has("bias")) return l.EmitFused("matmul_v2", factors, "Out", "output", transposed);
  const ValueId product = l.Temp();
  l.Emit("matmul_v2", factors, {{"Out", {product}}}, transposed);
  l.EmitFused("elementwise_add", {{"X", {product}}, {"Y", {l.In("bias")}}}, "Out", "output");
});

}  // namespace
}  // namespace nnadapter::builtin_device
