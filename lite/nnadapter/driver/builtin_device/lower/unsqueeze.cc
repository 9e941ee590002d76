#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(UNSQUEEZE, [](Lowering& l) {
  l.Emit("unsqueeze2", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"axes", l.I32s("axes")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
