// pad, pad2d and pad3d.
#pragma once

#include <string>

#include "lite/kernels/cpu/creation/fill.h"
#include "lite/kernels/cpu/shape/data_movement.h"

namespace paddle::lite {

enum class PadMode { kConstant, kReflect, kReplicate, kCircular };

// Elements added before and after one axis; negative ones are cut off.
struct AxisPad {
  int64_t before = 0, after = 0;
};

// "constant", "reflect", "replicate" (also "edge") or "circular"; throws LiteError for others.
PadMode PadModeFrom(const std::string& text);
// The padded shape; throws ShapeError where the mode cannot make it from x.
DDim PaddedDims(const DDim& x, const std::vector<AxisPad>& pads, PadMode mode);
void PadTensor(const Tensor& x, const std::vector<AxisPad>& pads, PadMode mode,
               const FillValue& value, Tensor& out, int threads);
inline void PadTensor(const Tensor& x, const std::vector<AxisPad>& pads, PadMode mode, float value,
                      Tensor& out, int threads) {
  PadTensor(x, pads, mode, FillValue::Of(value), out, threads);
}

}  // namespace paddle::lite
