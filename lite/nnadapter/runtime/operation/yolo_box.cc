#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

void Infer(InferContext& c) {
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

REGISTER_OPERATION(YOLO_BOX)
    .Doc("The boxes and scores that an output of YOLOv3 stands for.")
    .Input("input", kFloats, "[N, C, H, W]: position, confidence and classes of boxes")
    .Input("imgsize", kIndex, "[N, 2]: height and width of each image")
    .Ints("anchors", "pairs of width and height")
    .Int("class_num", "the number of classes")
    .Float("conf_thresh", "boxes with less confidence give zeros")
    .Int("downsample_ratio", "the image's pixels for one of input")
    .OptionalBool("clip_bbox", "whether boxes are cut to the image; yes if absent")
    .OptionalFloat("scale_x_y", "the scale of the centres; 1 if absent")
    .OptionalBool("iou_aware", "whether input has a predicted IoU for each anchor; no if absent")
    .OptionalFloat("iou_aware_factor", "the weight of that IoU; 0.5 if absent")
    .Output("boxes", "[N, boxes, 4], of the type of input: xmin, ymin, xmax, ymax")
    .Output("scores", "[N, boxes, class_num], of the type of input")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
