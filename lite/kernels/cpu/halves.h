#pragma once

#include "lite/core/base/weight_memory.h"
#include "lite/core/run_recorder.h"

namespace paddle::lite {

// What a profile says of a product whose operands are rounded to 16 bits.
inline KernelChoice HalvesChoice(math::WeightPrecision precision) {
  if (precision == math::WeightPrecision::kFp16)
    return {"fp16", "the operands are rounded to fp16, as was asked"};
  return {"bf16", "the operands are rounded to bf16, as was asked"};
}

}  // namespace paddle::lite
