#include "lite/nnadapter/runtime/operation/shape_list.h"

namespace nnadapter::runtime {
namespace {

bool Match(int32_t a, int32_t b) { return a == b || a == kUnknown || b == kUnknown; }

void Infer(InferContext& c) {
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

REGISTER_OPERATION(NON_MAX_SUPPRESSION)
    .Doc("Keeps the best boxes of each class that do not overlap.")
    .Input("bboxes", kFloats, "[N, boxes, size], size 4, 8, 16, 24 or 32; or [boxes, classes, 4]")
    .Input("scores", kFloats, "[N, classes, boxes]; or [boxes, classes]")
    .OptionalInput("rois_num", kIndex, "how many boxes each image has, for scores of rank 2")
    .Int("background_label", "the class that is left out; -1: none")
    .Float("score_threshold", "boxes with a lower score are left out")
    .Int("nms_top_k", "how many boxes of a class are looked at; -1: all")
    .Float("nms_threshold", "the IoU above which of two boxes the worse one goes")
    .Float("nms_eta", "the factor of the threshold after each box; 1: none")
    .Int("keep_top_k", "how many boxes of an image stay; -1: all")
    .Bool("normalized", "whether coordinates are normalised: a box ends at its corner")
    .OptionalBool("return_index", "whether output index is wanted")
    .Output("output", "[kept, 2 + size]: class, score, box")
    .OptionalOutput("out_rois_num", "INT32 [N]: how many were kept of each image")
    .OptionalOutput("index", "INT32 [kept, 1]: where in bboxes each was")
    .Infer(Infer);

}  // namespace
}  // namespace nnadapter::runtime
