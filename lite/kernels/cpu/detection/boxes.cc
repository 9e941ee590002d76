#include <algorithm>
#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/detection/box_decoding.h"
#include "lite/kernels/cpu/elementwise/elementwise.h"
#include "lite/kernels/cpu/sequence/sequence.h"

namespace paddle::lite {
namespace {

void InferBoxClip(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const DDim& info = c.Dims("ImInfo");
  c.Require(x.dims.size() >= 2 && x.dims.back() == 4, "input Input has shape ", x.dims,
            ", expected [boxes, ..., 4]");
  const int64_t images = SequenceCount(OnlyOffsets(x, "Input"));
  c.Require(info == DDim({images, 3}), "input ImInfo has shape ", info, ", expected [", images,
            ", 3] for the images that Input has by its LoD");
  c.SetOutput("Output", x.dims, x.dtype, x.lod);
}

void RunBoxClip(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const Offsets& offsets = OnlyOffsets(x.meta(), "Input");
  const int64_t width = RowSize(x.dims());
  VisitFloat(x.dtype(), "Input", [&](auto zero) {
    using T = decltype(zero);
    const T* info = c.Input("ImInfo").data<T>();  // height, width and scale of each image
    const T* from = x.data<T>();
    T* to = c.Output("Output").mutable_data<T>();
    for (size_t i = 0; i + 1 < offsets.size(); ++i, info += 3) {
      const T limits[2] = {std::round(info[1] / info[2]) - 1, std::round(info[0] / info[2]) - 1};
      for (int64_t k = static_cast<int64_t>(offsets[i]) * width,
                   end = static_cast<int64_t>(offsets[i + 1]) * width;
           k < end; ++k)
        to[k] = std::max(std::min(from[k], limits[k % 2]), T(0));
    }
  });
}

}  // namespace

REGISTER_LITE_OP(box_clip).Input("Input").Input("ImInfo").Output("Output").InferShape(InferBoxClip);
REGISTER_LITE_FUNCTION(box_clip, kHost, kAny, kNCHW, RunBoxClip, def);

namespace {

bool IsEncode(const OpLite& op) {
  const std::string& type = op.Attr<std::string>("code_type");
  if (type == "encode_center_size") return true;
  if (type == "decode_center_size") return false;
  throw LiteError(StrCat("attribute code_type is '", type,
                         "', expected encode_center_size or decode_center_size"));
}

void InferBoxCoder(InferContext& c) {
  const DDim& prior = c.Dims("PriorBox");
  const TensorMeta& target = c.Input("TargetBox");
  const auto& variance = c.Attr<std::vector<float>>("variance");
  c.Require(prior.size() == 2 && prior[1] == 4, "input PriorBox has shape ", prior,
            ", expected [boxes, 4]");
  if (c.HasInput("PriorBoxVar")) {
    c.Require(variance.empty(), "attribute variance and input PriorBoxVar are both given");
    c.Require(c.Dims("PriorBoxVar") == prior, "input PriorBoxVar has shape ", c.Dims("PriorBoxVar"),
              ", expected ", prior, " as PriorBox");
  }
  c.Require(variance.empty() || variance.size() == 4, "attribute variance has ", variance.size(),
            " values, expected none or 4");
  const DDim& t = target.dims;
  if (IsEncode(c.op())) {
    c.Require(t.size() == 2 && t[1] == 4, "input TargetBox has shape ", t, ", expected [boxes, 4]");
    c.SetOutput("OutputBox", {t[0], prior[0], 4}, target.dtype, target.lod);
    return;
  }
  const int32_t axis = c.Attr<int32_t>("axis");
  c.Require(axis == 0 || axis == 1, "attribute axis is ", axis, ", expected 0 or 1");
  c.Require(t.size() == 3 && t[2] == 4 && t[1 - axis] == prior[0], "input TargetBox has shape ", t,
            ", expected ", axis == 0 ? "[rows, " : "[", prior[0], axis == 0 ? "" : ", columns",
            ", 4] for PriorBox ", prior);
  c.SetOutput("OutputBox", t, target.dtype, target.lod);
}

template <typename T>
void Encode(const T* target, const Center<T>& prior, T pixel, const T* variance, T* out) {
  const T x = (target[0] + target[2]) / 2, y = (target[1] + target[3]) / 2;
  const T width = target[2] - target[0] + pixel, height = target[3] - target[1] + pixel;
  out[0] = (x - prior.x) / prior.width / variance[0];
  out[1] = (y - prior.y) / prior.height / variance[1];
  out[2] = std::log(std::fabs(width / prior.width)) / variance[2];
  out[3] = std::log(std::fabs(height / prior.height)) / variance[3];
}

template <typename T>
void Code(KernelContext& c) {
  const bool encode = IsEncode(c.op());
  const bool prior_by_row = !encode && c.Attr<int32_t>("axis") == 1;
  const T pixel = c.Attr<bool>("box_normalized") ? T(0) : T(1);
  const T* priors = c.Input("PriorBox").data<T>();
  const T* targets = c.Input("TargetBox").data<T>();
  const Tensor* variances = c.InputOrNull("PriorBoxVar");
  const T* prior_variances = variances != nullptr ? variances->data<T>() : nullptr;
  const auto& attr = c.Attr<std::vector<float>>("variance");
  T common[4] = {1, 1, 1, 1};
  for (size_t i = 0; i < attr.size(); ++i) common[i] = static_cast<T>(attr[i]);
  Tensor& output = c.Output("OutputBox");
  T* out = output.mutable_data<T>();
  for (int64_t row = 0; row < output.dims()[0]; ++row)
    for (int64_t col = 0; col < output.dims()[1]; ++col, out += 4) {
      const int64_t p = prior_by_row ? row : col;
      const Center<T> prior(priors + 4 * p, pixel);
      const T* variance = prior_variances != nullptr ? prior_variances + 4 * p : common;
      if (encode)
        Encode(targets + 4 * row, prior, pixel, variance, out);
      else
        DecodeBox(targets + 4 * (row * output.dims()[1] + col), prior, pixel, variance, out);
    }
}

void RunBoxCoder(KernelContext& c) {
  VisitFloat(c.Input("PriorBox").dtype(), "PriorBox", [&](auto zero) { Code<decltype(zero)>(c); });
}

}  // namespace

REGISTER_LITE_OP(box_coder)
    .Input("PriorBox")
    .OptionalInput("PriorBoxVar")
    .Input("TargetBox")
    .Output("OutputBox")
    .Attr<std::string>("code_type", "encode_center_size")
    .Attr<bool>("box_normalized", true)
    .Attr<int32_t>("axis", 0)
    .Attr<std::vector<float>>("variance", {})
    .InferShape(InferBoxCoder);
REGISTER_LITE_FUNCTION(box_coder, kHost, kAny, kNCHW, RunBoxCoder, def);

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

namespace {

void InferPolygonBoxTransform(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  c.Require(x.dims.size() == 4 && x.dims[1] % 2 == 0, "input Input has shape ", x.dims,
            ", expected rank 4 and an even number of channels");
  if (x.dtype != DataType::kFP32 && x.dtype != DataType::kFP64)
    throw DataTypeError(StrCat("input Input is ", Name(x.dtype), ", expected float32 or float64"));
  c.SetOutput("Output", x.dims, x.dtype);
}

// Distances become places: the maps are a quarter of the image, even channels hold x and odd y.
template <typename T>
void Transform(KernelContext& c) {
  const DDim& d = c.Input("Input").dims();
  const T* x = c.Input("Input").data<T>();
  T* out = c.Output("Output").mutable_data<T>();
  for (int64_t plane = 0; plane < d[0] * d[1]; ++plane) {
    const bool vertical = plane % d[1] % 2 == 1;
    for (int64_t row = 0; row < d[2]; ++row)
      for (int64_t column = 0; column < d[3]; ++column)
        *out++ = static_cast<T>(4 * (vertical ? row : column)) - *x++;
  }
}

void RunPolygonBoxTransform(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("Input").dtype(),
                          [&](auto type) { Transform<decltype(type)>(c); });
}

REGISTER_LITE_OP(polygon_box_transform)
    .Input("Input")
    .Output("Output")
    .InferShape(InferPolygonBoxTransform);
REGISTER_LITE_FUNCTION(polygon_box_transform, kHost, kAny, kNCHW, RunPolygonBoxTransform, def);

}  // namespace
}  // namespace paddle::lite
