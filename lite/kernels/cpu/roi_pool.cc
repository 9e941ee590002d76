// roi_pool: the largest pixel of each bin; psroi_pool: the mean of each bin in a channel of its
// own.
#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/regions.h"

namespace paddle::lite {
namespace {

DDim InferBins(InferContext& c, int64_t channels) {
  const TensorMeta& x = c.Input("X");
  const int64_t height = c.Attr<int32_t>("pooled_height"), width = c.Attr<int32_t>("pooled_width");
  c.Require(x.dims.size() == 4, "input X has shape ", x.dims, ", expected [N, C, H, W]");
  c.Require(height > 0 && width > 0, "attributes pooled_height and pooled_width are ", height,
            " and ", width, ", expected positive numbers");
  const float scale = c.Attr<float>("spatial_scale");
  c.Require(scale > 0 && std::isfinite(scale), "attribute spatial_scale is ", scale,
            ", expected a positive number");
  InferRegions(c, "ROIs", x.dims[0]);
  return {c.Dims("ROIs")[0], channels, height, width};
}

void InferRoiPool(InferContext& c) {
  const DDim& x = c.Dims("X");
  const DDim out = InferBins(c, x.size() == 4 ? x[1] : 0);
  c.SetOutput("Out", out, c.Input("X").dtype);
  c.SetOutput("Argmax", out, DataType::kInt64);
}

void InferPsRoiPool(InferContext& c) {
  const DDim out = InferBins(c, c.Attr<int32_t>("output_channels"));
  const DDim& x = c.Dims("X");
  c.Require(out[1] > 0, "attribute output_channels is ", out[1], ", expected a positive number");
  c.Require(x[1] % out[1] == 0 && x[1] / out[1] == out[2] * out[3], "input X has shape ", x,
            ", expected ", out[1], " channels for each of ", out[2], " x ", out[3], " bins");
  c.SetOutput("Out", out, c.Input("X").dtype);
}

struct RoiPoolRange {
  int64_t first, last;
};

// The pixels along one axis that bin `index` covers, of `limit`.
RoiPoolRange BinRange(float start, float bin, int64_t index, int64_t limit) {
  const auto clamp = [limit](float at) {
    return std::clamp<int64_t>(static_cast<int64_t>(at), 0, limit);
  };
  return {clamp(std::floor(static_cast<float>(index) * bin + start)),
          clamp(std::ceil(static_cast<float>(index + 1) * bin + start))};
}

// Calls pool(image, channel, row, column, rows, columns) for every bin in the order of Out.
// `edges(low, high)` is the start and the size of a region between two corners along an axis.
template <typename Edges, typename PoolFn>
void ForBins(KernelContext& c, Edges edges, PoolFn pool) {
  const DDim &x = c.Input("X").dims(), &out = c.Output("Out").dims();
  const float* roi = c.Input("ROIs").data<float>();
  const float scale = c.Attr<float>("spatial_scale");
  int64_t index = 0;
  for (const int64_t image : RegionImages(c, "ROIs", x[0])) {
    RequireRegion("ROIs", index++, roi, scale);
    const auto [left, width] = edges(roi[0], roi[2]);
    const auto [top, height] = edges(roi[1], roi[3]);
    const float bin_h = height / static_cast<float>(out[2]);
    const float bin_w = width / static_cast<float>(out[3]);
    for (int64_t channel = 0; channel < out[1]; ++channel)
      for (int64_t row = 0; row < out[2]; ++row)
        for (int64_t column = 0; column < out[3]; ++column)
          pool(image, channel, row, column, BinRange(top, bin_h, row, x[2]),
               BinRange(left, bin_w, column, x[3]));
    roi += 4;
  }
}

void RunRoiPool(KernelContext& c) {
  const DDim& x = c.Input("X").dims();
  const float* images = c.Input("X").data<float>();
  float* out = c.Output("Out").mutable_data<float>();
  Tensor* argmax = c.OutputOrNull("Argmax");
  auto* indexes = argmax == nullptr ? nullptr : argmax->mutable_data<int64_t>();
  const float scale = c.Attr<float>("spatial_scale");
  const auto edges = [scale](float low, float high) {
    const float first = std::round(low * scale), last = std::round(high * scale);
    return std::pair<float, float>(first, std::max(last - first + 1, 1.0f));
  };
  ForBins(c, edges,
          [&](int64_t image, int64_t channel, int64_t, int64_t, RoiPoolRange rows,
              RoiPoolRange columns) {
            const float* plane = images + (image * x[1] + channel) * x[2] * x[3];
            const bool empty = rows.last <= rows.first || columns.last <= columns.first;
            float best = empty ? 0 : std::numeric_limits<float>::lowest();
            int64_t at = -1;
            for (int64_t y = rows.first; y < rows.last; ++y)
              for (int64_t i = columns.first; i < columns.last; ++i)
                if (plane[y * x[3] + i] > best) best = plane[at = y * x[3] + i];
            *out++ = best;
            if (indexes != nullptr) *indexes++ = at;
          });
}

void RunPsRoiPool(KernelContext& c) {
  const DDim &x = c.Input("X").dims(), bins = c.Output("Out").dims();
  const float* images = c.Input("X").data<float>();
  float* out = c.Output("Out").mutable_data<float>();
  const float scale = c.Attr<float>("spatial_scale");
  const auto edges = [scale](float low, float high) {
    const float first = std::round(low) * scale, last = (std::round(high) + 1.0f) * scale;
    return std::pair<float, float>(first, std::max(last - first, 0.1f));
  };
  ForBins(c, edges,
          [&](int64_t image, int64_t channel, int64_t row, int64_t column, RoiPoolRange rows,
              RoiPoolRange columns) {
            const int64_t own = (channel * bins[2] + row) * bins[3] + column;
            const float* plane = images + (image * x[1] + own) * x[2] * x[3];
            float sum = 0;
            for (int64_t y = rows.first; y < rows.last; ++y)
              for (int64_t i = columns.first; i < columns.last; ++i) sum += plane[y * x[3] + i];
            const int64_t area = (rows.last - rows.first) * (columns.last - columns.first);
            const bool empty = rows.last <= rows.first || columns.last <= columns.first;
            *out++ = empty ? 0.0f : sum / static_cast<float>(area);
          });
}

REGISTER_LITE_OP(roi_pool)
    .Input("X")
    .Input("ROIs")
    .OptionalInput("RoisNum")
    .Output("Out")
    .OptionalOutput("Argmax")
    .Attr<int32_t>("pooled_height", 1)
    .Attr<int32_t>("pooled_width", 1)
    .Attr<float>("spatial_scale", 1.0f)
    .InferShape(InferRoiPool);
REGISTER_LITE_FUNCTION(roi_pool, kHost, kFloat, kNCHW, RunRoiPool, def);

REGISTER_LITE_OP(psroi_pool)
    .Input("X")
    .Input("ROIs")
    .OptionalInput("RoisNum")
    .Output("Out")
    .Attr<int32_t>("pooled_height", 1)
    .Attr<int32_t>("pooled_width", 1)
    .Attr<int32_t>("output_channels", 1)
    .Attr<float>("spatial_scale", 1.0f)
    .InferShape(InferPsRoiPool);
REGISTER_LITE_FUNCTION(psroi_pool, kHost, kFloat, kNCHW, RunPsRoiPool, def);

}  // namespace
}  // namespace paddle::lite
