#include "lite/kernels/cpu/math/packing_machine.h"

#include "lite/core/base/errors.h"
#include "lite/kernels/cpu/math/isa.h"
#include "lite/kernels/cpu/math/packing.h"
#include "lite/kernels/cpu/math/tiles.h"
#include "lite/kernels/cpu/math/winograd.h"

namespace paddle::lite::math {

std::string PackingMachine(WeightPrecision precision) {
  constexpr const char* kNames[] = {" fp32", " bf16", " fp16", " exact"};
  ConvShape winograd;
  winograd.kh = winograd.kw = 3;
  winograd.ic = winograd.oc = 128;
  return StrCat(IsaName(), " panels ", PackedFloats(1, 1), " ", PanelColumn(1, 4096), " ",
                HasByteDot() ? " vnni" : "", HasBf16Dot() ? " bf16_dot" : "",
                HasFp16Arithmetic() ? " fp16_arithmetic" : "",
                TilesMultiplyWords() ? " tiles of k and k + 16" : "", " winograd ",
                WinogradTile(winograd), kNames[static_cast<int>(precision)]);
}

}  // namespace paddle::lite::math
