#include <algorithm>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/detection/box_decoding.h"

namespace paddle::lite {
namespace {

void RequireBoxes(const InferContext& c, const char* slot) {
  const DDim& boxes = c.Dims(slot);
  c.Require(boxes.size() == 2 && boxes[1] == 4, "input ", slot, " has shape ", boxes,
            ", expected [boxes, 4]");
}

void InferIouSimilarity(InferContext& c) {
  RequireBoxes(c, "X");
  RequireBoxes(c, "Y");
  c.SetOutput("Out", {c.Dims("X")[0], c.Dims("Y")[0]}, c.Input("X").dtype, c.Input("X").lod);
}

// Other than non-maximum suppression (nms.h) it has boxes overlap that are less than a pixel apart.
void RunIouSimilarity(KernelContext& c) {
  const Tensor &x = c.Input("X"), &y = c.Input("Y");
  const float pixel = c.Attr<bool>("box_normalized") ? 0.0f : 1.0f;
  const auto area = [&](const float* box) {
    return (box[2] - box[0] + pixel) * (box[3] - box[1] + pixel);
  };
  float* to = c.Output("Out").mutable_data<float>();
  const float *a = x.data<float>(), *const others = y.data<float>();
  for (int64_t i = 0; i < x.dims()[0]; ++i, a += 4) {
    const float* b = others;
    for (int64_t k = 0; k < y.dims()[0]; ++k, b += 4) {
      const float width = std::min(a[2], b[2]) - std::max(a[0], b[0]) + pixel;
      const float height = std::min(a[3], b[3]) - std::max(a[1], b[1]) + pixel;
      const float shared = std::max(width, 0.0f) * std::max(height, 0.0f);
      *to++ = shared / (area(a) + area(b) - shared);
    }
  }
}

REGISTER_LITE_OP(iou_similarity)
    .Input("X")
    .Input("Y")
    .Output("Out")
    .Attr<bool>("box_normalized", true)
    .InferShape(InferIouSimilarity);
REGISTER_LITE_FUNCTION(iou_similarity, kHost, kFloat, kNCHW, RunIouSimilarity, def);

// Each box as every class moves it, and as the best of the classes but the background does.
void InferBoxDecoderAndAssign(InferContext& c) {
  RequireBoxes(c, "PriorBox");
  const int64_t boxes = c.Dims("PriorBox")[0];
  const DDim &targets = c.Dims("TargetBox"), &scores = c.Dims("BoxScore");
  c.Require(scores.size() == 2 && scores[0] == boxes && scores[1] > 0, "input BoxScore has shape ",
            scores, ", expected [", boxes, ", classes]");
  c.Require(targets.size() == 2 && targets[0] == boxes && targets[1] == 4 * scores[1],
            "input TargetBox has shape ", targets, ", expected [", boxes, ", ", 4 * scores[1], "]");
  c.Require(c.Dims("PriorBoxVar").production() == 4, "input PriorBoxVar has shape ",
            c.Dims("PriorBoxVar"), ", expected four numbers");
  const DataType dtype = c.Input("PriorBox").dtype;
  c.SetOutput("DecodeBox", targets, dtype, c.Input("TargetBox").lod);
  c.SetOutput("OutputAssignBox", {boxes, 4}, dtype, c.Input("PriorBox").lod);
}

void RunBoxDecoderAndAssign(KernelContext& c) {
  const Tensor& scores = c.Input("BoxScore");
  const float* variance = c.Input("PriorBoxVar").data<float>();
  const float limit = c.Attr<float>("box_clip");
  const int64_t classes = scores.dims()[1];
  const float *prior = c.Input("PriorBox").data<float>(), *score = scores.data<float>();
  const float* target = c.Input("TargetBox").data<float>();
  float* decoded = c.Output("DecodeBox").mutable_data<float>();
  float* assigned = c.Output("OutputAssignBox").mutable_data<float>();
  for (int64_t i = 0; i < scores.dims()[0]; ++i) {
    for (int64_t k = 0; k < 4 * classes; k += 4)
      DecodeBox(target + k, Center<float>(prior, 1), 1.0f, variance, decoded + k, limit);
    int64_t best = 0;
    float most = -1;
    for (int64_t k = 1; k < classes; ++k)
      if (score[k] > most) most = score[k], best = k;
    std::copy_n(best == 0 ? prior : decoded + 4 * best, 4, assigned);
    prior += 4, target += 4 * classes, score += classes, decoded += 4 * classes, assigned += 4;
  }
}

REGISTER_LITE_OP(box_decoder_and_assign)
    .Input("PriorBox")
    .Input("PriorBoxVar")
    .Input("TargetBox")
    .Input("BoxScore")
    .Output("DecodeBox")
    .Output("OutputAssignBox")
    .Attr<float>("box_clip", 4.135f)
    .InferShape(InferBoxDecoderAndAssign);
REGISTER_LITE_FUNCTION(box_decoder_and_assign, kHost, kFloat, kNCHW, RunBoxDecoderAndAssign, def);

}  // namespace
}  // namespace paddle::lite
