#include <cmath>

#include "lite/kernels/cpu/anchors.h"

namespace paddle::lite {
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

}  // namespace paddle::lite
