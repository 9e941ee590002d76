#include "lite/kernels/cpu/regions.h"

#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {

void InferRegions(InferContext& c, const char* slot, int64_t images) {
  const TensorMeta& rois = c.Input(slot);
  c.Require(rois.dims.size() == 2 && rois.dims[1] == 4, "input ", slot, " has shape ", rois.dims,
            ", expected [regions, 4]");
  if (rois.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(rois.dtype), ", expected float32"));
  if (c.op().info().FindInput("BatchIndices") >= 0 && c.HasInput("BatchIndices")) {
    c.Require(c.Dims("BatchIndices").production() == rois.dims[0], "input BatchIndices has shape ",
              c.Dims("BatchIndices"), ", expected one number for each of ", rois.dims[0],
              " regions");
    return;
  }
  int64_t parts = images;
  if (c.HasInput("RoisNum"))
    parts = c.Dims("RoisNum").production();
  else
    parts = SequenceCount(FinestOffsets(rois, slot));
  c.Require(images < 0 || parts == images, "input ", slot, " is divided into ", parts,
            " images, expected ", images);
}

std::vector<int64_t> RegionCounts(const KernelContext& c, const char* slot, int64_t images) {
  const Tensor& rois = c.Input(slot);
  std::vector<int64_t> counts;
  int64_t left = rois.dims()[0];
  if (const Tensor* rois_num = c.InputOrNull("RoisNum")) {
    counts = ReadInts(*rois_num, "RoisNum");
    for (const int64_t count : counts) {
      if (count < 0 || count > left)
        throw ShapeError(StrCat("input RoisNum holds ", count, ", input ", slot, " of shape ",
                                rois.dims(), " has ", left, " regions left"));
      left -= count;
    }
    if (left != 0)
      throw ShapeError(StrCat("input RoisNum leaves over ", left, " regions of ", slot,
                              " of shape ", rois.dims()));
  } else {
    const Offsets& offsets = FinestOffsets(rois.meta(), slot);
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      counts.push_back(static_cast<int64_t>(offsets[i + 1] - offsets[i]));
  }
  if (images >= 0 && static_cast<int64_t>(counts.size()) != images)
    throw ShapeError(
        StrCat("input ", slot, " is divided into ", counts.size(), " images, expected ", images));
  return counts;
}

std::vector<int64_t> RegionImages(const KernelContext& c, const char* slot, int64_t images) {
  if (c.op().info().FindInput("BatchIndices") >= 0 && c.InputOrNull("BatchIndices") != nullptr) {
    auto indices = ReadInts(c.Input("BatchIndices"), "BatchIndices");
    for (const int64_t index : indices)
      if (index < 0 || (images >= 0 && index >= images))
        throw ShapeError(StrCat("input BatchIndices holds ", index, " for ", images, " images"));
    return indices;
  }
  const std::vector<int64_t> counts = RegionCounts(c, slot, images);
  std::vector<int64_t> image_of;
  for (size_t i = 0; i < counts.size(); ++i)
    image_of.insert(image_of.end(), static_cast<size_t>(counts[i]), static_cast<int64_t>(i));
  return image_of;
}

void RequireRegion(const char* slot, int64_t index, const float* corners, float scale) {
  if (!std::all_of(corners, corners + 4, [scale](float v) { return std::fabs(v * scale) < 1e9f; }))
    throw ShapeError(StrCat(slot, "[", index, "] is [", corners[0], ", ", corners[1], ", ",
                            corners[2], ", ", corners[3], "] and attribute spatial_scale ", scale,
                            ", expected finite corners below 1e9 pixels"));
}

}  // namespace paddle::lite
