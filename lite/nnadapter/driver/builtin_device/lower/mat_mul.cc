#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(MAT_MUL, [](Lowering& l) {
  l.Emit("matmul_v2", {{"X", {l.In("x")}}, {"Y", {l.In("y")}}}, {{"Out", {l.Out("output")}}},
         {{"trans_x", l.Bool("transpose_x")}, {"trans_y", l.Bool("transpose_y")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
