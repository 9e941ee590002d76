#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
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
struct Center {
  T x, y, width, height;

  Center(const T* box, T pixel) : width(box[2] - box[0] + pixel), height(box[3] - box[1] + pixel) {
    x = box[0] + width / 2;
    y = box[1] + height / 2;
  }
};

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
void Decode(const T* target, const Center<T>& prior, T pixel, const T* variance, T* out) {
  const T x = variance[0] * target[0] * prior.width + prior.x;
  const T y = variance[1] * target[1] * prior.height + prior.y;
  const T width = std::exp(variance[2] * target[2]) * prior.width;
  const T height = std::exp(variance[3] * target[3]) * prior.height;
  out[0] = x - width / 2;
  out[1] = y - height / 2;
  out[2] = x + width / 2 - pixel;
  out[3] = y + height / 2 - pixel;
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
        Decode(targets + 4 * (row * output.dims()[1] + col), prior, pixel, variance, out);
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

}  // namespace paddle::lite
