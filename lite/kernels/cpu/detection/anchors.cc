#include "lite/kernels/cpu/detection/anchors.h"

#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"

namespace paddle::lite {
AnchorGrid ReadAnchorGrid(const KernelContext& c) {
  const DDim& map = c.Input("Input").dims();
  const DDim& image = c.Input("Image").dims();
  AnchorGrid grid{map[2],
                  map[3],
                  static_cast<float>(image[2]),
                  static_cast<float>(image[3]),
                  c.Attr<float>("step_h"),
                  c.Attr<float>("step_w"),
                  c.Attr<float>("offset")};
  if (grid.step_h == 0 || grid.step_w == 0) {
    grid.step_h = grid.image_height / static_cast<float>(grid.height);
    grid.step_w = grid.image_width / static_cast<float>(grid.width);
  }
  return grid;
}

void InferAnchors(InferContext& c, int64_t count, const char* boxes, bool needs_image) {
  const TensorMeta& map = c.Input("Input");
  c.Require(map.dims.size() == 4, "input Input has shape ", map.dims, ", expected [N, C, H, W]");
  if (needs_image)
    c.Require(c.Dims("Image").size() == 4, "input Image has shape ", c.Dims("Image"),
              ", expected [N, C, H, W]");
  const size_t variances = c.Attr<std::vector<float>>("variances").size();
  c.Require(variances == 4, "attribute variances has ", variances, " values, expected 4");
  const DDim out{map.dims[2], map.dims[3], count, 4};
  out.production();
  c.SetOutput(boxes, out, DataType::kFP32);
  c.SetOutput("Variances", out, DataType::kFP32);
}

void WriteVariances(KernelContext& c) {
  const auto& variances = c.Attr<std::vector<float>>("variances");
  Tensor& out = c.Output("Variances");
  float* to = out.mutable_data<float>();
  for (int64_t i = 0; i < out.numel(); i += 4)
    std::copy(variances.begin(), variances.end(), to + i);
}

namespace {

void InferAnchorGenerator(InferContext& c) {
  const auto& stride = c.Attr<std::vector<float>>("stride");
  c.Require(stride.size() == 2 && stride[0] > 0 && stride[1] > 0,
            "attribute stride must be two positive numbers");
  const DDim boxes{static_cast<int64_t>(c.Attr<std::vector<float>>("anchor_sizes").size()),
                   static_cast<int64_t>(c.Attr<std::vector<float>>("aspect_ratios").size())};
  InferAnchors(c, boxes.production(), "Anchors", /*needs_image=*/false);
}

// A box around (x, y) with the area of a stride, rounded to pixels, scaled to `size`.
void WriteAnchor(float x, float y, float stride_w, float stride_h, float ratio, float size,
                 float* box) {
  const float base_w = std::round(std::sqrt(stride_w * stride_h / ratio));
  const float base_h = std::round(base_w * ratio);
  const float half_w = 0.5f * (size / stride_w * base_w - 1);
  const float half_h = 0.5f * (size / stride_h * base_h - 1);
  box[0] = x - half_w;
  box[1] = y - half_h;
  box[2] = x + half_w;
  box[3] = y + half_h;
}

void RunAnchorGenerator(KernelContext& c) {
  const DDim& map = c.Input("Input").dims();
  const float stride_w = c.Attr<std::vector<float>>("stride")[0];
  const float stride_h = c.Attr<std::vector<float>>("stride")[1];
  const float offset = c.Attr<float>("offset");
  float* box = c.Output("Anchors").mutable_data<float>();
  for (int64_t h = 0; h < map[2]; ++h)
    for (int64_t w = 0; w < map[3]; ++w) {
      const float x = static_cast<float>(w) * stride_w + offset * (stride_w - 1);
      const float y = static_cast<float>(h) * stride_h + offset * (stride_h - 1);
      for (const float ratio : c.Attr<std::vector<float>>("aspect_ratios"))
        for (const float size : c.Attr<std::vector<float>>("anchor_sizes")) {
          WriteAnchor(x, y, stride_w, stride_h, ratio, size, box);
          box += 4;
        }
    }
  WriteVariances(c);
}

}  // namespace

REGISTER_LITE_OP(anchor_generator)
    .Input("Input")
    .Output("Anchors")
    .Output("Variances")
    .RequiredAttr<std::vector<float>>("anchor_sizes")
    .RequiredAttr<std::vector<float>>("aspect_ratios")
    .RequiredAttr<std::vector<float>>("variances")
    .Attr<std::vector<float>>("stride", {16.0f, 16.0f})
    .Attr<float>("offset", 0.5f)
    .ShapeOnly()
    .InferShape(InferAnchorGenerator);
REGISTER_LITE_FUNCTION(anchor_generator, kHost, kFloat, kNCHW, RunAnchorGenerator, def);

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
