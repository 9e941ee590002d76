// Sizes and regions of images.
#include <algorithm>
#include <cmath>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

// (x, width, height, [nchw, align corners, half pixel centres]); sizes are INT32, factors are not.
struct Resize {
  explicit Resize(Translation& t) {
    nchw = t.Has(3) && t.Bool(3);
    corners = t.Has(4) && t.Bool(4);
    centres = t.Has(5) && t.Bool(5);
    image = t.Image(0, nchw);
    for (size_t axis = 0; axis < 2; ++axis) {
      const size_t i = 2 - axis;
      const float factor = t.Float(i);
      const bool is_size = t.Type(i).code == ANEURALNETWORKS_INT32;
      const float length =
          is_size ? factor : std::floor(static_cast<float>(image->dims[axis + 2]) * factor);
      if (!(length >= 1 && length <= kMostPixels))
        Translation::Refuse(Text("a resized image would be ", length, " pixels high or wide"));
      size.push_back(static_cast<int32_t>(length));
    }
  }

  // Such an image has no use, and lists of its pixels are made here.
  static constexpr float kMostPixels = 1 << 20;

  bool nchw, corners, centres;
  Value image;
  Shape size;  // [height, width]
};

// Which elements of an axis are nearest to the new ones' centres.
Shape NearestCentres(int32_t length, int32_t wanted) {
  Shape indices;
  const float scale = static_cast<float>(length) / static_cast<float>(wanted);
  for (int32_t i = 0; i < wanted; ++i) {
    const float at = std::floor((static_cast<float>(i) + 0.5f) * scale);
    indices.push_back(std::min(static_cast<int32_t>(at), length - 1));
  }
  return indices;
}

}  // namespace

CONVERTER(RESIZE_BILINEAR) {
  const Resize r(t);
  const Value out = EmitResult(
      t, NNADAPTER_RESIZE_LINEAR,
      {r.image, t.Int32s(r.size), nullptr, t.Bool8(r.corners), t.Int32(r.centres ? 0 : 1)});
  t.SetImage(0, out, r.nchw);
}

CONVERTER(RESIZE_NEAREST_NEIGHBOR) {
  const Resize r(t);
  Value out = r.image;
  if (!r.centres) {
    out = t.Emit(NNADAPTER_RESIZE_NEAREST, {out, t.Int32s(r.size), nullptr, t.Bool8(r.corners)});
  } else {
    for (size_t axis = 0; axis < 2; ++axis)
      out = Taken(t, out, static_cast<int32_t>(axis) + 2,
                  NearestCentres(r.image->dims[axis + 2], r.size[axis]));
  }
  t.SetImage(0, out, r.nchw);
}

// (x, rois, batch, height, width, ratio of heights, of widths, samples along heights, widths, nchw)
CONVERTER(ROI_ALIGN) {
  const bool nchw = t.Bool(9);
  const Value image = t.Real(t.Image(0, nchw));
  const float high = t.Float(5), wide = t.Float(6);
  Value rois = t.Real(t.Input(1));
  if (high != wide)
    rois = t.Emit(NNADAPTER_DIV,
                  {rois, t.Float32s({wide, high, wide, high}), t.Int32(NNADAPTER_FUSED_NONE)});
  if (t.Int(7) != t.Int(8)) Translation::Refuse("it takes other samples along heights than widths");
  const Value out =
      t.Emit(NNADAPTER_ROI_ALIGN,
             {image, rois, t.Input(2), t.Int32(t.Int(3)), t.Int32(t.Int(4)), t.Int32(t.Int(7)),
              t.Float32(high == wide ? 1 / high : 1), t.Bool8(false)});
  t.SetImage(0, out, nchw);
}

}  // namespace nnadapter::nnapi
