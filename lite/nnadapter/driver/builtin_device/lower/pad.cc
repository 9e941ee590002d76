#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(PAD, [](Lowering& l) {
  const int64_t code = l.Int("mode");
  const char* mode = code == NNADAPTER_PAD_MODE_REFLECT ? "reflect"
                     : code == NNADAPTER_PAD_MODE_REPLICATE || code == NNADAPTER_PAD_MODE_EDGE
                         ? "edge"
                         : "constant";
  l.Emit(
      "pad",
      {{"X", {l.In("input")}}, {"Paddings", l.Computed("pads")}, {"Value", l.OptionalIn("value")}},
      {{"Out", {l.Out("output")}}},
      {{"paddings", l.Known("pads").value_or(Ints32{})}, {"mode", std::string(mode)}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
