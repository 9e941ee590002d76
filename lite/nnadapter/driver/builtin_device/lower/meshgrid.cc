#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(MESHGRID, [](Lowering& l) {
  l.Emit("meshgrid", {{"X", l.AllIn("input")}}, {{"Out", l.AllOut("output")}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
