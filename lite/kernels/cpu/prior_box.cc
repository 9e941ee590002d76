#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/anchors.h"

namespace paddle::lite {
namespace {

// 1, then the ratios that are not there yet, each followed by its inverse when `flip`.
std::vector<float> ExpandRatios(const std::vector<float>& ratios, bool flip) {
  std::vector<float> expanded{1.0f};
  for (const float ratio : ratios) {
    const bool known = std::any_of(expanded.begin(), expanded.end(),
                                   [ratio](float r) { return std::fabs(ratio - r) < 1e-6f; });
    if (known) continue;
    expanded.push_back(ratio);
    if (flip) expanded.push_back(1.0f / ratio);
  }
  return expanded;
}

struct Size {
  float width, height;
};

// The sizes of the boxes at each place of the feature map.
std::vector<Size> BoxSizes(const OpLite& op) {
  const auto& min_sizes = op.Attr<std::vector<float>>("min_sizes");
  const auto& max_sizes = op.Attr<std::vector<float>>("max_sizes");
  const bool max_second = op.Attr<bool>("min_max_aspect_ratios_order");
  const std::vector<float> ratios =
      ExpandRatios(op.Attr<std::vector<float>>("aspect_ratios"), op.Attr<bool>("flip"));
  std::vector<Size> sizes;
  for (size_t i = 0; i < min_sizes.size(); ++i) {
    const float size = min_sizes[i];
    const auto add_max = [&] {
      if (max_sizes.empty()) return;
      const float side = std::sqrt(size * max_sizes[i]);
      sizes.push_back({side, side});
    };
    // The first ratio is 1.
    for (size_t r = 0; r < ratios.size(); ++r) {
      const float root = std::sqrt(ratios[r]);
      sizes.push_back({size * root, size / root});
      if (r == 0 && max_second) add_max();
    }
    if (!max_second) add_max();
  }
  return sizes;
}

void InferPriorBox(InferContext& c) {
  const auto& min_sizes = c.Attr<std::vector<float>>("min_sizes");
  const auto& max_sizes = c.Attr<std::vector<float>>("max_sizes");
  c.Require(max_sizes.empty() || max_sizes.size() == min_sizes.size(), "attribute max_sizes has ",
            max_sizes.size(), " values, expected none or ", min_sizes.size(), " as in min_sizes");
  InferAnchors(c, static_cast<int64_t>(BoxSizes(c.op()).size()), "Boxes");
}

void RunPriorBox(KernelContext& c) {
  const std::vector<Size> sizes = BoxSizes(c.op());
  const AnchorGrid grid = ReadAnchorGrid(c);
  const bool clip = c.Attr<bool>("clip");
  float* box = c.Output("Boxes").mutable_data<float>();
  for (int64_t h = 0; h < grid.height; ++h)
    for (int64_t w = 0; w < grid.width; ++w) {
      const float x = grid.CenterX(w), y = grid.CenterY(h);
      for (const Size& size : sizes) {
        box[0] = (x - size.width / 2) / grid.image_width;
        box[1] = (y - size.height / 2) / grid.image_height;
        box[2] = (x + size.width / 2) / grid.image_width;
        box[3] = (y + size.height / 2) / grid.image_height;
        if (clip)
          for (int i = 0; i < 4; ++i) box[i] = std::clamp(box[i], 0.0f, 1.0f);
        box += 4;
      }
    }
  WriteVariances(c);
}

}  // namespace

REGISTER_LITE_OP(prior_box)
    .Input("Input")
    .Input("Image")
    .Output("Boxes")
    .Output("Variances")
    .RequiredAttr<std::vector<float>>("min_sizes")
    .Attr<std::vector<float>>("max_sizes", {})
    .Attr<std::vector<float>>("aspect_ratios", {})
    .Attr<std::vector<float>>("variances", {0.1f, 0.1f, 0.2f, 0.2f})
    .Attr<bool>("flip", true)
    .Attr<bool>("clip", true)
    .Attr<float>("step_w", 0.0f)
    .Attr<float>("step_h", 0.0f)
    .Attr<float>("offset", 0.5f)
    .Attr<bool>("min_max_aspect_ratios_order", false)
    .ShapeOnly()
    .InferShape(InferPriorBox);
REGISTER_LITE_FUNCTION(prior_box, kHost, kFloat, kNCHW, RunPriorBox, def);

}  // namespace paddle::lite
