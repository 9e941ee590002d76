#include "lite/nnadapter/driver/builtin_device/lower/normalization.h"

namespace nnadapter::builtin_device {
namespace {

REGISTER_LOWERING(BATCH_NORMALIZATION, [](Lowering& l) {
  LowerNormalization(l, "batch_norm", {{"Mean", {l.In("mean")}}, {"Variance", {l.In("variance")}}},
                     {});
});

}  // namespace
}  // namespace nnadapter::builtin_device
