#pragma once

#include "lite/core/base/weight_memory.h"
#include "lite/core/run_recorder.h"
#include "lite/kernels/cpu/math/halves.h"
#include "lite/kernels/cpu/math/int8.h"
#include "lite/kernels/cpu/math/isa.h"
#include "lite/kernels/cpu/math/tiles.h"

namespace paddle::lite {

// What a profile says of a product whose operands are rounded to 16 bits.
inline KernelChoice HalvesChoice(math::WeightPrecision precision) {
  if (precision == math::WeightPrecision::kFp16)
    return {"fp16", "the operands are rounded to fp16, as was asked"};
  if (math::FasterInHalves(precision) && math::TilesMultiplyWords())
    return {"bf16", "the operands are rounded to bf16, as was asked, for AMX's tiles"};
  return {"bf16", "the operands are rounded to bf16, as was asked"};
}

// And of one whose operands are rounded to integers.
inline KernelChoice Int8Choice(const math::PackedInt8* weights) {
  if (weights != nullptr && math::InTiles(*weights))
    return {"int8", "the weights are integers, in AMX's tiles"};
  return {"int8", "the weights are integers"};
}

}  // namespace paddle::lite
