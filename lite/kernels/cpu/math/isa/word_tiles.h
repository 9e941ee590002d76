#pragma once

#include "lite/kernels/cpu/math/tile_table.h"

namespace paddle::lite::math::LITE_ISA {

void RunHalvesInTiles(const HalvesBlock& g, const LeftTiles& left);
void RunBytesInTiles(const Int8Block& g, const LeftTiles& left);

}  // namespace paddle::lite::math::LITE_ISA
