// Regions of interest, divided into the images of a batch by RoisNum or by their LoD.
#pragma once

#include <cstdint>
#include <vector>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {

// Checks that `slot` holds fp32 boxes [regions, 4] which RoisNum or a LoD divides; `images` is the
// batch that they refer to, or -1.
void InferRegions(InferContext& c, const char* slot, int64_t images);

// The number of regions in each image. Throws ShapeError unless they add up to all regions.
std::vector<int64_t> RegionCounts(const KernelContext& c, const char* slot, int64_t images);

// The image of each region.
std::vector<int64_t> RegionImages(const KernelContext& c, const char* slot, int64_t images);

// Throws ShapeError unless the corners of region `index` of `slot`, times `scale`, are numbers
// below 1e9, which pixels' indexes hold.
void RequireRegion(const char* slot, int64_t index, const float* corners, float scale);

}  // namespace paddle::lite
