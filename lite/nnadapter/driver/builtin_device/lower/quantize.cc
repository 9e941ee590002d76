#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// What writes a quantised output quantises: the real numbers pass.
REGISTER_LOWERING(QUANTIZE, [](Lowering& l) {
  l.Emit("assign", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
