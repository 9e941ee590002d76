#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ROLL, [](Lowering& l) {
  l.Emit("roll", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"shifts", l.Ints("shifts")},
          {"axis", l.Has("axes") ? l.Ints("axes") : std::vector<int64_t>{}}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
