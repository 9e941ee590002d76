#pragma once

#include "lite/kernels/cpu/math/tile_table.h"

namespace paddle::lite::math::LITE_ISA {

void RunHalvesInTiles(const HalvesBlock& g, char* room);
void RunBytesInTiles(const Int8Block& g, char* room);

}  // namespace paddle::lite::math::LITE_ISA
