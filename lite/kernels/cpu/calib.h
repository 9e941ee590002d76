// Calibration: fp32 <-> int8 by a scale, and plain conversions between element types.
#pragma once

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

void InferCalib(InferContext& c);
void RunCalib(KernelContext& c);

}  // namespace paddle::lite
