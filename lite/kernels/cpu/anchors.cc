#include "lite/kernels/cpu/anchors.h"

#include <algorithm>

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

}  // namespace paddle::lite
