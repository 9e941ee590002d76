#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/anchors.h"

namespace paddle::lite {
namespace {

void InferDensityPriorBox(InferContext& c) {
  const auto& sizes = c.Attr<std::vector<float>>("fixed_sizes");
  const auto& densities = c.Attr<std::vector<int32_t>>("densities");
  c.Require(sizes.size() == densities.size(), "attribute fixed_sizes has ", sizes.size(),
            " values and densities ", densities.size(), ", expected as many");
  const auto ratios = static_cast<int64_t>(c.Attr<std::vector<float>>("fixed_ratios").size());
  int64_t count = 0;
  for (const int32_t density : densities) {
    c.Require(density > 0 && density <= 4096, "attribute densities holds ", density,
              ", expected 1 to 4096");
    count += DDim{ratios, density, density}.production();
  }
  InferAnchors(c, count, "Boxes");
  if (!c.Attr<bool>("flatten_to_2d")) return;
  const DDim& map = c.Dims("Input");
  const DDim flat{DDim{map[2], map[3], count}.production(), 4};
  c.SetOutput("Boxes", flat, DataType::kFP32);
  c.SetOutput("Variances", flat, DataType::kFP32);
}

struct Writer {
  const AnchorGrid& grid;
  bool clip;
  float* box;

  void Add(float x, float y, float width, float height) {
    box[0] = std::max((x - width / 2) / grid.image_width, 0.0f);
    box[1] = std::max((y - height / 2) / grid.image_height, 0.0f);
    box[2] = std::min((x + width / 2) / grid.image_width, 1.0f);
    box[3] = std::min((y + height / 2) / grid.image_height, 1.0f);
    if (clip)
      for (int i = 0; i < 4; ++i) box[i] = std::clamp(box[i], 0.0f, 1.0f);
    box += 4;
  }

  // density x density boxes of one size, spread over a step of the map.
  void Spread(float x, float y, int average_step, int density, float width, float height) {
    const int shift = average_step / density;
    const float half = static_cast<float>(shift) / 2 - static_cast<float>(average_step) / 2;
    for (int i = 0; i < density; ++i)
      for (int j = 0; j < density; ++j)
        Add(x + half + static_cast<float>(j * shift), y + half + static_cast<float>(i * shift),
            width, height);
  }
};

void RunDensityPriorBox(KernelContext& c) {
  const AnchorGrid grid = ReadAnchorGrid(c);
  const auto& sizes = c.Attr<std::vector<float>>("fixed_sizes");
  const auto& densities = c.Attr<std::vector<int32_t>>("densities");
  const float average = (grid.step_w + grid.step_h) * 0.5f;
  if (!(std::fabs(average) < 1e6f))
    throw ShapeError(StrCat("the steps of the boxes average to ", average));
  Writer writer{grid, c.Attr<bool>("clip"), c.Output("Boxes").mutable_data<float>()};
  for (int64_t h = 0; h < grid.height; ++h)
    for (int64_t w = 0; w < grid.width; ++w)
      for (size_t s = 0; s < sizes.size(); ++s)
        for (const float ratio : c.Attr<std::vector<float>>("fixed_ratios"))
          writer.Spread(grid.CenterX(w), grid.CenterY(h), static_cast<int>(average), densities[s],
                        sizes[s] * std::sqrt(ratio), sizes[s] / std::sqrt(ratio));
  WriteVariances(c);
}

}  // namespace

REGISTER_LITE_OP(density_prior_box)
    .Input("Input")
    .Input("Image")
    .Output("Boxes")
    .Output("Variances")
    .RequiredAttr<std::vector<float>>("variances")
    .Attr<bool>("clip", true)
    .Attr<bool>("flatten_to_2d", false)
    .Attr<float>("step_w", 0.0f)
    .Attr<float>("step_h", 0.0f)
    .Attr<float>("offset", 0.5f)
    .Attr<std::vector<float>>("fixed_sizes", {})
    .Attr<std::vector<float>>("fixed_ratios", {})
    .Attr<std::vector<int32_t>>("densities", {})
    .ShapeOnly()
    .InferShape(InferDensityPriorBox);
REGISTER_LITE_FUNCTION(density_prior_box, kHost, kFloat, kNCHW, RunDensityPriorBox, def);

}  // namespace paddle::lite
