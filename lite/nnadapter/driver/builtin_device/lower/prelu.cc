#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

// One slope, one a channel, or one an element of an image.
REGISTER_LOWERING(PRELU, [](Lowering& l) {
  const auto slope = l.DimsOf("slope"), input = l.DimsOf("input");
  const int64_t count = runtime::Product(slope, 0, slope.size());
  l.Support(count != NNADAPTER_UNKNOWN, "slope has an unknown number of elements");
  const bool by_channel = input.size() > 1 && (input[1] == count || input[1] == NNADAPTER_UNKNOWN);
  const char* mode = count == 1 ? "all" : by_channel ? "channel" : "element";
  l.Emit("prelu", {{"X", {l.In("input")}}, {"Alpha", {l.In("slope")}}},
         {{"Out", {l.Out("output")}}}, {{"mode", std::string(mode)}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
