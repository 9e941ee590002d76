// What the operators that spread boxes over a feature map have in common.
#pragma once

#include <cstdint>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// The places of a feature map in the pixels of the image.
struct AnchorGrid {
  int64_t height, width;
  float image_height, image_width, step_h, step_w, offset;

  float CenterX(int64_t column) const { return (static_cast<float>(column) + offset) * step_w; }
  float CenterY(int64_t row) const { return (static_cast<float>(row) + offset) * step_h; }
};

// Reads the shapes of Input and Image and the steps; a step of 0 is image size over map size.
AnchorGrid ReadAnchorGrid(const KernelContext& c);

// Checks Input, Image and variances; sets `boxes` and Variances to [height, width, count, 4].
void InferAnchors(InferContext& c, int64_t count, const char* boxes, bool needs_image = true);

// Repeats the attribute `variances` over the output Variances.
void WriteVariances(KernelContext& c);

}  // namespace paddle::lite
