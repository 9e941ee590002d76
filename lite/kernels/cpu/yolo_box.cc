#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

struct Head {
  int64_t anchors, classes, height, width;
  bool iou_aware;
};

Head ReadHead(const OpLite& op, const DDim& x) {
  return {static_cast<int64_t>(op.Attr<std::vector<int32_t>>("anchors").size() / 2),
          op.Attr<int32_t>("class_num"), x[2], x[3], op.Attr<bool>("iou_aware")};
}

void InferYoloBox(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& size = c.Dims("ImgSize");
  const auto& anchors = c.Attr<std::vector<int32_t>>("anchors");
  c.Require(x.dims.size() == 4, "input X has shape ", x.dims, ", expected [N, C, H, W]");
  c.Require(!anchors.empty() && anchors.size() % 2 == 0, "attribute anchors has ", anchors.size(),
            " values, expected pairs of width and height");
  const Head head = ReadHead(c.op(), x.dims);
  c.Require(head.classes > 0, "attribute class_num is ", head.classes,
            ", expected a positive number");
  const int64_t channels = head.anchors * (head.classes + (head.iou_aware ? 6 : 5));
  c.Require(x.dims[1] == channels, "input X has shape ", x.dims, ", expected ", channels,
            " channels for ", head.anchors, " anchors and ", head.classes, " classes");
  c.Require(size == DDim({x.dims[0], 2}), "input ImgSize has shape ", size, ", expected [",
            x.dims[0], ", 2]");
  const float factor = c.Attr<float>("iou_aware_factor");
  c.Require(!head.iou_aware || (factor >= 0 && factor <= 1), "attribute iou_aware_factor is ",
            factor, ", expected 0 to 1");
  c.Require(c.Attr<int32_t>("downsample_ratio") > 0, "attribute downsample_ratio is ",
            c.Attr<int32_t>("downsample_ratio"), ", expected a positive number");
  const int64_t boxes = DDim{head.anchors, head.height, head.width}.production();
  c.SetOutput("Boxes", {x.dims[0], boxes, 4}, x.dtype);
  c.SetOutput("Scores", {x.dims[0], boxes, head.classes}, x.dtype);
}

template <typename T>
T Sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

template <typename T>
class Decoder {
 public:
  Decoder(const KernelContext& c, const Head& head)
      : head_(head),
        anchors_(c.Attr<std::vector<int32_t>>("anchors")),
        threshold_(c.Attr<float>("conf_thresh")),
        scale_(c.Attr<float>("scale_x_y")),
        factor_(c.Attr<float>("iou_aware_factor")),
        downsample_(c.Attr<int32_t>("downsample_ratio")),
        clip_(c.Attr<bool>("clip_bbox")) {}

  // x: the image's channels; boxes and scores are zero where the confidence is too low.
  void Image(const T* x, T image_h, T image_w, T* boxes, T* scores) const {
    const int64_t area = head_.height * head_.width;
    const T* iou = x;
    if (head_.iou_aware) x += head_.anchors * area;
    for (int64_t a = 0; a < head_.anchors; ++a, x += (5 + head_.classes) * area)
      for (int64_t at = 0; at < area; ++at, boxes += 4, scores += head_.classes) {
        T confidence = Sigmoid(x[4 * area + at]);
        if (head_.iou_aware)
          confidence =
              std::pow(confidence, T(1) - factor_) * std::pow(Sigmoid(iou[a * area + at]), factor_);
        if (confidence < threshold_) {
          std::fill(boxes, boxes + 4, T(0));
          std::fill(scores, scores + head_.classes, T(0));
          continue;
        }
        Box(x + at, area, a, at, image_h, image_w, boxes);
        for (int64_t k = 0; k < head_.classes; ++k)
          scores[k] = confidence * Sigmoid(x[(5 + k) * area + at]);
      }
  }

 private:
  void Box(const T* x, int64_t area, int64_t anchor, int64_t at, T image_h, T image_w,
           T* box) const {
    const T bias = T(-0.5) * (scale_ - T(1));
    const auto col = static_cast<T>(at % head_.width), row = static_cast<T>(at / head_.width);
    const auto cols = static_cast<T>(head_.width), rows = static_cast<T>(head_.height);
    const T center_x = (col + Sigmoid(x[0]) * scale_ + bias) * image_w / cols;
    const T center_y = (row + Sigmoid(x[area]) * scale_ + bias) * image_h / rows;
    const auto pair = static_cast<size_t>(2 * anchor);
    const T w =
        std::exp(x[2 * area]) * static_cast<T>(anchors_[pair]) * image_w / (downsample_ * cols);
    const T h =
        std::exp(x[3 * area]) * static_cast<T>(anchors_[pair + 1]) * image_h / (downsample_ * rows);
    box[0] = center_x - w / 2;
    box[1] = center_y - h / 2;
    box[2] = center_x + w / 2;
    box[3] = center_y + h / 2;
    if (!clip_) return;
    box[0] = box[0] > 0 ? box[0] : T(0);
    box[1] = box[1] > 0 ? box[1] : T(0);
    box[2] = box[2] < image_w - 1 ? box[2] : image_w - 1;
    box[3] = box[3] < image_h - 1 ? box[3] : image_h - 1;
  }

  Head head_;
  const std::vector<int32_t>& anchors_;
  T threshold_, scale_, factor_, downsample_;
  bool clip_;
};

void RunYoloBox(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Head head = ReadHead(c.op(), x.dims());
  const std::vector<int64_t> sizes = ReadInts(c.Input("ImgSize"), "ImgSize");
  VisitFloat(x.dtype(), "X", [&](auto zero) {
    using T = decltype(zero);
    const T* data = x.data<T>();
    T* boxes = c.Output("Boxes").mutable_data<T>();
    T* scores = c.Output("Scores").mutable_data<T>();
    const int64_t count = head.anchors * head.height * head.width;
    const Decoder<T> decoder(c, head);
    for (size_t n = 0; n < sizes.size() / 2; ++n) {
      decoder.Image(data, static_cast<T>(sizes[2 * n]), static_cast<T>(sizes[2 * n + 1]), boxes,
                    scores);
      data += x.dims().Count(1, 4);
      boxes += 4 * count;
      scores += head.classes * count;
    }
  });
}

}  // namespace

REGISTER_LITE_OP(yolo_box)
    .Input("X")
    .Input("ImgSize")
    .Output("Boxes")
    .Output("Scores")
    .Attr<std::vector<int32_t>>("anchors", {})
    .Attr<int32_t>("class_num", 1)
    .Attr<float>("conf_thresh", 0.01f)
    .Attr<int32_t>("downsample_ratio", 32)
    .Attr<bool>("clip_bbox", true)
    .Attr<float>("scale_x_y", 1.0f)
    .Attr<bool>("iou_aware", false)
    .Attr<float>("iou_aware_factor", 0.5f)
    .InferShape(InferYoloBox);
REGISTER_LITE_FUNCTION(yolo_box, kHost, kAny, kNCHW, RunYoloBox, def);

}  // namespace paddle::lite
