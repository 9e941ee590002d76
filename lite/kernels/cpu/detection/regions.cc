#include "lite/kernels/cpu/detection/regions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
void InferRegions(InferContext& c, const char* slot, int64_t images) {
  const TensorMeta& rois = c.Input(slot);
  c.Require(rois.dims.size() == 2 && rois.dims[1] == 4, "input ", slot, " has shape ", rois.dims,
            ", expected [regions, 4]");
  if (rois.dtype != DataType::kFP32)
    throw DataTypeError(StrCat("input ", slot, " is ", Name(rois.dtype), ", expected float32"));
  if (c.op().info().FindInput("BatchIndices") >= 0 && c.HasInput("BatchIndices")) {
    c.Require(c.Dims("BatchIndices").production() == rois.dims[0], "input BatchIndices has shape ",
              c.Dims("BatchIndices"), ", expected one number for each of ", rois.dims[0],
              " regions");
    return;
  }
  int64_t parts = images;
  if (c.HasInput("RoisNum"))
    parts = c.Dims("RoisNum").production();
  else
    parts = SequenceCount(FinestOffsets(rois, slot));
  c.Require(images < 0 || parts == images, "input ", slot, " is divided into ", parts,
            " images, expected ", images);
}

std::vector<int64_t> RegionCounts(const KernelContext& c, const char* slot, int64_t images) {
  const Tensor& rois = c.Input(slot);
  std::vector<int64_t> counts;
  int64_t left = rois.dims()[0];
  if (const Tensor* rois_num = c.InputOrNull("RoisNum")) {
    counts = ReadInts(*rois_num, "RoisNum");
    for (const int64_t count : counts) {
      if (count < 0 || count > left)
        throw ShapeError(StrCat("input RoisNum holds ", count, ", input ", slot, " of shape ",
                                rois.dims(), " has ", left, " regions left"));
      left -= count;
    }
    if (left != 0)
      throw ShapeError(StrCat("input RoisNum leaves over ", left, " regions of ", slot,
                              " of shape ", rois.dims()));
  } else {
    const Offsets& offsets = FinestOffsets(rois.meta(), slot);
    for (size_t i = 0; i + 1 < offsets.size(); ++i)
      counts.push_back(static_cast<int64_t>(offsets[i + 1] - offsets[i]));
  }
  if (images >= 0 && static_cast<int64_t>(counts.size()) != images)
    throw ShapeError(
        StrCat("input ", slot, " is divided into ", counts.size(), " images, expected ", images));
  return counts;
}

std::vector<int64_t> RegionImages(const KernelContext& c, const char* slot, int64_t images) {
  if (c.op().info().FindInput("BatchIndices") >= 0 && c.InputOrNull("BatchIndices") != nullptr) {
    auto indices = ReadInts(c.Input("BatchIndices"), "BatchIndices");
    for (const int64_t index : indices)
      if (index < 0 || (images >= 0 && index >= images))
        throw ShapeError(StrCat("input BatchIndices holds ", index, " for ", images, " images"));
    return indices;
  }
  const std::vector<int64_t> counts = RegionCounts(c, slot, images);
  std::vector<int64_t> image_of;
  for (size_t i = 0; i < counts.size(); ++i)
    image_of.insert(image_of.end(), static_cast<size_t>(counts[i]), static_cast<int64_t>(i));
  return image_of;
}

void RequireRegion(const char* slot, int64_t index, const float* corners, float scale) {
  if (!std::all_of(corners, corners + 4, [scale](float v) { return std::fabs(v * scale) < 1e9f; }))
    throw ShapeError(StrCat(slot, "[", index, "] is [", corners[0], ", ", corners[1], ", ",
                            corners[2], ", ", corners[3], "] and attribute spatial_scale ", scale,
                            ", expected finite corners below 1e9 pixels"));
}

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

namespace {

// roi_pool: the largest pixel of each bin; psroi_pool: the mean of each bin in a channel of its
// own.
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
    .OptionalInput("BatchIndices")
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
