#include <algorithm>
#include <cmath>

#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

// How many ratios there are with 1 and, if asked for, the inverses; doubles are dropped.
size_t RatioCount(const std::vector<float>& ratios, bool flip) {
  std::vector<float> expanded{1.0f};
  for (const float ratio : ratios) {
    const bool known = std::any_of(expanded.begin(), expanded.end(),
                                   [&](float r) { return std::fabs(ratio - r) < 1e-6f; });
    if (known) continue;
    expanded.push_back(ratio);
    if (flip) expanded.push_back(1.0f / ratio);
  }
  return expanded.size();
}

void Infer(InferContext& c) {
  const Dims input = c.DimsOf("input"), image = c.DimsOf("image");
  c.Require(input.size() == 4 && image.size() == 4, "input and image have shapes ", DimsText(input),
            " and ", DimsText(image), ", expected [N, C, H, W]");
  const auto min_sizes = c.Floats("min_sizes");
  const size_t max_sizes = c.Has("max_sizes") ? c.Floats("max_sizes").size() : 0;
  c.Require(max_sizes == 0 || max_sizes == min_sizes.size(), "max_sizes has ", max_sizes,
            " numbers, expected none or ", min_sizes.size(), " as in min_sizes");
  const auto ratios = c.Floats("aspect_ratios");
  for (const float ratio : ratios)
    c.Require(ratio > 0, "an aspect ratio is ", ratio, ", expected more than 0");
  c.Require(c.Floats("variances").size() == 4, "variances has ", c.Floats("variances").size(),
            " numbers, expected 4");
  const size_t boxes = RatioCount(ratios, c.Bool("flip")) * min_sizes.size() + max_sizes;
  const Dims out{input[2], input[3], ToDim(c, static_cast<int64_t>(boxes)), 4};
  c.SetOutput("boxes", NNADAPTER_FLOAT32, out);
  c.SetOutput("variances", NNADAPTER_FLOAT32, out);
}

REGISTER_OPERATION(PRIOR_BOX)
    .Doc("The default boxes of SSD at each place of a feature map.")
    .Input("input", kFloat32, "the feature map, [N, C, H, W]; only its shape counts")
    .Input("image", kFloat32, "the image, [N, C, H, W]; only its shape counts")
    .Floats("min_sizes", "the smaller sizes")
    .OptionalFloats("max_sizes", "the larger sizes: none, or as many as min_sizes")
    .Floats("aspect_ratios", "the aspect ratios besides 1")
    .Floats("variances", "four numbers that stand for each box in output variances")
    .Bool("flip", "whether the inverse of each ratio is used too")
    .Bool("clip", "whether boxes are cut to the image")
    .Float("step_w", "the image's pixels between two boxes; 0: width of image / width of input")
    .Float("step_h", "the same along the height")
    .Float("offset", "where in a step the centre is")
    .Bool("min_max_aspect_ratios_order", "whether the larger size comes second, not last")
    .Output("boxes", "[H, W, boxes, 4], FLOAT32: xmin, ymin, xmax, ymax over the image's size")
    .Output("variances", "[H, W, boxes, 4], FLOAT32")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
