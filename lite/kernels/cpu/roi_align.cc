#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/regions.h"

namespace paddle::lite {
namespace {

void InferRoiAlign(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const int64_t height = c.Attr<int32_t>("pooled_height"), width = c.Attr<int32_t>("pooled_width");
  c.Require(x.dims.size() == 4 && x.dims[2] > 0 && x.dims[3] > 0, "input X has shape ", x.dims,
            ", expected [N, C, H, W] with pixels");
  c.Require(height > 0 && width > 0, "attributes pooled_height and pooled_width are ", height,
            " and ", width, ", expected positive numbers");
  c.Require(c.Attr<int32_t>("sampling_ratio") <= 65536, "attribute sampling_ratio is ",
            c.Attr<int32_t>("sampling_ratio"), ", expected at most 65536");
  InferRegions(c, "ROIs", x.dims[0]);
  c.SetOutput("Out", {c.Dims("ROIs")[0], x.dims[1], height, width}, x.dtype);
}

struct Tap {
  int64_t at;
  float weight;
};

// Bilinear sampling is separable: the taps of each bin along one axis, the weights of samples that
// meet at one pixel added up.
std::vector<std::vector<Tap>> BinTaps(float start, float size, int64_t bins, int64_t limit,
                                      int64_t samples) {
  const float bin = size / static_cast<float>(bins);
  std::vector<std::vector<Tap>> taps(static_cast<size_t>(bins));
  const auto add = [](std::vector<Tap>* list, int64_t at, float weight) {
    for (size_t back = list->size(); back-- > 0 && list->size() - back <= 2;)
      if ((*list)[back].at == at) {
        (*list)[back].weight += weight;
        return;
      }
    list->push_back({at, weight});
  };
  for (int64_t b = 0; b < bins; ++b)
    for (int64_t s = 0; s < samples; ++s) {
      float at = start + static_cast<float>(b) * bin +
                 (static_cast<float>(s) + 0.5f) * bin / static_cast<float>(samples);
      if (at < -1.0f || at > static_cast<float>(limit)) continue;
      at = std::max(at, 0.0f);
      const int64_t low = std::min(static_cast<int64_t>(at), limit - 1);
      const float part = low == limit - 1 ? 0.0f : at - static_cast<float>(low);
      add(&taps[static_cast<size_t>(b)], low, 1.0f - part);
      if (low < limit - 1) add(&taps[static_cast<size_t>(b)], low + 1, part);
    }
  return taps;
}

struct RoiAlignRegion {
  std::vector<std::vector<Tap>> rows, cols;
  float samples;  // of a bin
};

RoiAlignRegion ReadRegion(const KernelContext& c, const float* roi, const DDim& x, int64_t index) {
  const float scale = c.Attr<float>("spatial_scale");
  const bool aligned = c.Attr<bool>("aligned");
  const float offset = aligned ? 0.5f : 0.0f;
  const float left = roi[0] * scale - offset, top = roi[1] * scale - offset;
  float width = roi[2] * scale - offset - left, height = roi[3] * scale - offset - top;
  if (!(std::fabs(width) < 1e6f && std::fabs(height) < 1e6f && std::fabs(left) < 1e9f &&
        std::fabs(top) < 1e9f))
    throw ShapeError(StrCat("ROIs[", index, "] is [", roi[0], ", ", roi[1], ", ", roi[2], ", ",
                            roi[3], "], expected finite corners of a region below 1e6 pixels"));
  if (!aligned) {
    width = std::max(width, 1.0f);
    height = std::max(height, 1.0f);
  }
  const int64_t bins_h = c.Attr<int32_t>("pooled_height"), bins_w = c.Attr<int32_t>("pooled_width");
  const int64_t ratio = c.Attr<int32_t>("sampling_ratio");
  const auto samples = [ratio](float size, int64_t bins) {
    return ratio > 0 ? ratio : static_cast<int64_t>(std::ceil(size / static_cast<float>(bins)));
  };
  const int64_t samples_h = samples(height, bins_h), samples_w = samples(width, bins_w);
  return {BinTaps(top, height, bins_h, x[2], samples_h),
          BinTaps(left, width, bins_w, x[3], samples_w),
          static_cast<float>(std::max<int64_t>(samples_h * samples_w, 1))};
}

void Pool(const float* image, int64_t row_size, const RoiAlignRegion& region, float* out) {
  for (const auto& rows : region.rows)
    for (const auto& cols : region.cols) {
      float sum = 0;
      for (const Tap& row : rows) {
        float line = 0;
        for (const Tap& col : cols) line += image[row.at * row_size + col.at] * col.weight;
        sum += line * row.weight;
      }
      *out++ = sum / region.samples;
    }
}

void RunRoiAlign(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const DDim& dims = x.dims();
  const float* images = x.data<float>();
  const float* roi = c.Input("ROIs").data<float>();
  Tensor& output = c.Output("Out");
  float* out = output.mutable_data<float>();
  const int64_t bins = output.dims()[2] * output.dims()[3], area = dims[2] * dims[3];
  int64_t index = 0;
  for (const int64_t image : RegionImages(c, "ROIs", dims[0])) {
    const RoiAlignRegion region = ReadRegion(c, roi, dims, index++);
    for (int64_t channel = 0; channel < dims[1]; ++channel, out += bins)
      Pool(images + (image * dims[1] + channel) * area, dims[3], region, out);
    roi += 4;
  }
}

}  // namespace

REGISTER_LITE_OP(roi_align)
    .Input("X")
    .Input("ROIs")
    .OptionalInput("RoisNum")
    .OptionalInput("BatchIndices")  // the image of each region: NNAdapter's ROI_ALIGN
    .Output("Out")
    .Attr<int32_t>("pooled_height", 1)
    .Attr<int32_t>("pooled_width", 1)
    .Attr<float>("spatial_scale", 1.0f)
    .Attr<int32_t>("sampling_ratio", -1)
    .Attr<bool>("aligned", false)
    .InferShape(InferRoiAlign);
REGISTER_LITE_FUNCTION(roi_align, kHost, kFloat, kNCHW, RunRoiAlign, def);

}  // namespace paddle::lite
