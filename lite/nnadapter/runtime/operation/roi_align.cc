#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
  const Dims input = c.DimsOf("input"), rois = c.DimsOf("rois"), images = c.DimsOf("batch_indices");
  c.Require(input.size() == 4, "input has shape ", DimsText(input), ", expected [N, C, H, W]");
  c.Require(rois.size() == 2 && (rois[1] == 4 || rois[1] == kUnknown), "rois has shape ",
            DimsText(rois), ", expected [regions, 4]");
  const bool match =
      images.size() == 1 && (images[0] == rois[0] || images[0] == kUnknown || rois[0] == kUnknown);
  c.Require(match, "batch_indices has shape ", DimsText(images), ", expected [", rois[0], "]");
  const int64_t height = c.Int("output_height"), width = c.Int("output_width");
  c.Require(height > 0 && width > 0, "output_height and output_width are ", height, " and ", width,
            ", expected positive numbers");
  c.Require(c.Int("sampling_ratio") <= 65536 && c.Int("sampling_ratio") >= -INT32_MAX,
            "sampling_ratio is ", c.Int("sampling_ratio"), ", expected at most 65536");
  c.SetOutput(
      "output", c.Precision("input"),
      {rois[0] == kUnknown ? images[0] : rois[0], input[1], ToDim(c, height), ToDim(c, width)});
}

REGISTER_OPERATION(ROI_ALIGN)
    .Doc("Samples regions of images on a grid, bilinearly.")
    .Input("input", kFloats | kQuantized, "the images, [N, C, H, W]")
    .Input("rois", kFloats, "the regions, [regions, 4]: x1, y1, x2, y2")
    .Input("batch_indices", kIndex, "the image of each region, [regions]")
    .Int("output_height", "the height of the result")
    .Int("output_width", "the width of the result")
    .Int("sampling_ratio", "samples a bin along an axis; 0 or less: as many as it has pixels")
    .Float("spatial_scale", "the pixels of input that a unit of rois is")
    .Bool("aligned", "whether regions are moved by half a pixel")
    .Output("output", "[regions, C, output_height, output_width], of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
