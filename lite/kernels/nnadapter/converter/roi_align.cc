// roi_align: ROI_ALIGN is told the image of each region, Paddle the number of regions of each
// image.
#include "lite/kernels/nnadapter/converter.h"

namespace paddle::lite::nnadapter_bridge {
namespace {

// Zeros, one for each region.
Operand* ImagesOfOne(Conversion& c) {
  Operand* rois = c.Input("ROIs");
  const int64_t regions = c.Dims(rois)[0];
  if (regions != NNADAPTER_UNKNOWN)
    return c.Int32s(std::vector<int64_t>(static_cast<size_t>(regions), 0));
  Operand* column = c.EmitOne(NNADAPTER_SLICE,
                              {rois, c.Int32s({1}), c.Int32s({0}), c.Int32s({1}), c.Int32s({1})});
  return c.EmitOne(NNADAPTER_FILL_LIKE, {Reshape(c, column, {-1}), c.Int32(0)});
}

Operand* ImagesOfCounts(Conversion& c, int64_t images) {
  const std::vector<int64_t> counts = c.ConstantInts(c.Input("RoisNum"));
  const int64_t regions = c.Dims(c.Input("ROIs"))[0];
  if (regions == NNADAPTER_UNKNOWN) throw NeedsKnown{};
  if (static_cast<int64_t>(counts.size()) != images)
    c.Refuse(StrCat("its RoisNum has ", counts.size(), " numbers for ", images, " images"));
  std::vector<int64_t> image_of;
  for (size_t image = 0; image < counts.size(); ++image) {
    const auto left = regions - static_cast<int64_t>(image_of.size());
    if (counts[image] < 0 || counts[image] > left)
      c.Refuse(StrCat("its RoisNum holds ", counts[image], ", where ", left, " regions are left"));
    image_of.insert(image_of.end(), static_cast<size_t>(counts[image]),
                    static_cast<int64_t>(image));
  }
  if (static_cast<int64_t>(image_of.size()) != regions)
    c.Refuse(StrCat("its RoisNum counts ", image_of.size(), " of its ", regions, " regions"));
  return c.Int32s(image_of);
}

void ConvertRoiAlign(Conversion& c) {
  const int64_t images = c.Dims(c.Input("X"))[0];
  Operand* image_of = images == 1 ? ImagesOfOne(c) : ImagesOfCounts(c, images);
  c.EmitTo({"Out"}, NNADAPTER_ROI_ALIGN,
           {c.Input("X"), c.Input("ROIs"), image_of, c.Int32(c.Int("pooled_height")),
            c.Int32(c.Int("pooled_width")), c.Int32(c.Int("sampling_ratio")),
            c.Float32(c.Float("spatial_scale")), c.Bool8(c.Bool("aligned"))});
}

REGISTER_NNADAPTER_CONVERTER(roi_align, ConvertRoiAlign);

}  // namespace
}  // namespace paddle::lite::nnadapter_bridge
