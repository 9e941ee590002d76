// Boxes.
#include <algorithm>
#include <cmath>

#include "lite/nnadapter/runtime/operation/operands.h"

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

}  // namespace

INFER(PRIOR_BOX) {
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

INFER(ROI_ALIGN) {
  const Dims input = c.DimsOf("input"), rois = c.DimsOf("rois"), images = c.DimsOf("batch_indices");
  c.Require(input.size() == 4, "input has shape ", DimsText(input), ", expected [N, C, H, W]");
  c.Require(rois.size() == 2 && (rois[1] == 4 || rois[1] == kUnknown), "rois has shape ",
            DimsText(rois), ", expected [regions, 4]");
  const bool match =
      images.size() == 1 && (images[0] == rois[0] || images[0] == kUnknown || rois[0] == kUnknown);
  c.Require(match, "batch_indices has shape ", DimsText(images), ", expected [", rois[0], "]");
  const int64_t height = c.Int("output_height"), width = c.Int("output_width");
  c.Require(height > 0 && width > 0, "output_height and output_width are ", height, " and ", width,
            ", expected positive numbers");
  c.Require(c.Int("sampling_ratio") <= 65536 && c.Int("sampling_ratio") >= -INT32_MAX,
            "sampling_ratio is ", c.Int("sampling_ratio"), ", expected at most 65536");
  c.SetOutput(
      "output", c.Precision("input"),
      {rois[0] == kUnknown ? images[0] : rois[0], input[1], ToDim(c, height), ToDim(c, width)});
}

INFER(YOLO_BOX) {
  const Dims input = c.DimsOf("input"), size = c.DimsOf("imgsize");
  c.Require(input.size() == 4, "input has shape ", DimsText(input), ", expected [N, C, H, W]");
  c.Require(size.size() == 2 && (size[1] == 2 || size[1] == kUnknown), "imgsize has shape ",
            DimsText(size), ", expected [N, 2]");
  const size_t anchors = c.Ints("anchors").size();
  c.Require(anchors > 0 && anchors % 2 == 0 && anchors < 65536, "anchors has ", anchors,
            " numbers, expected pairs of width and height");
  const int64_t classes = c.Int("class_num"), pairs = static_cast<int64_t>(anchors / 2);
  c.Require(classes > 0 && classes <= INT32_MAX, "class_num is ", classes,
            ", expected a positive number");
  const int64_t channels = pairs * (classes + (c.Bool("iou_aware", false) ? 6 : 5));
  c.Require(input[1] == kUnknown || input[1] == channels, "input has shape ", DimsText(input),
            ", expected ", channels, " channels for ", pairs, " anchors and ", classes, " classes");
  c.Require(c.Int("downsample_ratio") > 0 && c.Int("downsample_ratio") <= INT32_MAX,
            "downsample_ratio is ", c.Int("downsample_ratio"), ", expected a positive number");
  const int64_t area = Product(input, 2, 4);
  int64_t boxes = kUnknown;
  if (area != kUnknown)
    c.Require(!__builtin_mul_overflow(pairs, area, &boxes), "input has shape ", DimsText(input));
  const int32_t count = area == kUnknown ? kUnknown : ToDim(c, boxes);
  c.SetOutput("boxes", c.Precision("input"), {input[0], count, 4});
  c.SetOutput("scores", c.Precision("input"), {input[0], count, static_cast<int32_t>(classes)});
}

namespace {

bool Match(int32_t a, int32_t b) { return a == b || a == kUnknown || b == kUnknown; }

}  // namespace

INFER(NON_MAX_SUPPRESSION) {
  const Dims boxes = c.DimsOf("bboxes"), scores = c.DimsOf("scores");
  const bool batched = scores.size() == 3;
  c.Require(boxes.size() == 3 && (batched || scores.size() == 2), "bboxes and scores have shapes ",
            DimsText(boxes), " and ", DimsText(scores),
            ", expected [N, boxes, 4] and [N, classes, boxes], or [boxes, classes, 4] and "
            "[boxes, classes]");
  c.Require(Match(boxes[0], scores[0]) && Match(boxes[1], scores[batched ? 2 : 1]),
            "bboxes has shape ", DimsText(boxes), ", which does not fit scores of shape ",
            DimsText(scores));
  const bool polygons =
      batched && (boxes[2] == 8 || boxes[2] == 16 || boxes[2] == 24 || boxes[2] == 32);
  c.Require(Match(boxes[2], 4) || polygons, "bboxes has shape ", DimsText(boxes),
            ", expected boxes of 4 numbers", batched ? " or polygons of 8, 16, 24 or 32" : "");
  for (const char* name : {"background_label", "nms_top_k", "keep_top_k"})
    c.Require(c.Int(name) >= -INT32_MAX && c.Int(name) <= INT32_MAX, name, " is ", c.Int(name),
              ", expected an int32");
  c.Require(batched || c.Has("rois_num"), "scores has rank 2, but rois_num is missing");
  int32_t images = batched ? scores[0] : kUnknown;
  if (!batched) {
    const Dims counts = c.DimsOf("rois_num");
    const int64_t size = Product(counts, 0, counts.size());
    images = size == kUnknown ? kUnknown : ToDim(c, size);
  }
  const int32_t row = boxes[2] == kUnknown ? kUnknown : ToDim(c, int64_t{boxes[2]} + 2);
  c.SetOutput("output", c.Precision("bboxes"), {kUnknown, row});
  c.SetOutput("out_rois_num", NNADAPTER_INT32, {images});
  c.SetOutput("index", NNADAPTER_INT32, {kUnknown, 1});
}

}  // namespace nnadapter::runtime
