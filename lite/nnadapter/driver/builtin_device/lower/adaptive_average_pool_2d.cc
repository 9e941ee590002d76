#include "lite/nnadapter/driver/builtin_device/lowering.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(ADAPTIVE_AVERAGE_POOL_2D, [](Lowering& l) {
  l.Emit("pool2d", {{"X", {l.In("input")}}}, {{"Out", {l.Out("output")}}},
         {{"pooling_type", std::string("avg")},
          {"ksize", l.I32s("output_shape")},
          {"adaptive", true}});
});

}  // namespace
}  // namespace nnadapter::builtin_device
