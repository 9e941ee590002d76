#include "lite/core/infer_context.h"
#include "lite/kernels/cpu/recurrent.h"

namespace paddle::lite {
namespace {

// The numbers of the activation attributes.
math::Act ParseAct(int32_t number, const char* attribute) {
  switch (number) {
    case 0:
      return math::Act::kNone;
    case 1:
      return math::Act::kSigmoid;
    case 2:
      return math::Act::kTanh;
    case 3:
      return math::Act::kRelu;
  }
  throw LiteError(StrCat("attribute ", attribute, " is ", number,
                         ", expected 0 (identity), 1 (sigmoid), 2 (tanh) or 3 (relu)"));
}

void InferGruUnit(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const DDim& weight = c.Dims("Weight");
  c.Require(weight.size() == 2 && weight[1] == 3 * weight[0], "input Weight has shape ", weight,
            ", expected [hidden, 3 * hidden]");
  c.Require(x.dims.size() == 2 && x.dims[1] == weight[1], "input Input has shape ", x.dims,
            ", expected [batch, ", weight[1], "]");
  const DDim out{x.dims[0], weight[0]};
  c.Require(c.Dims("HiddenPrev") == out, "input HiddenPrev has shape ", c.Dims("HiddenPrev"),
            ", expected ", out);
  if (c.HasInput("Bias"))
    c.Require(c.Dims("Bias") == DDim({1, weight[1]}), "input Bias has shape ", c.Dims("Bias"),
              ", expected [1, ", weight[1], "]");
  ParseAct(c.Attr<int32_t>("activation"), "activation");
  ParseAct(c.Attr<int32_t>("gate_activation"), "gate_activation");
  c.SetOutput("Gate", x.dims, x.dtype);
  c.SetOutput("ResetHiddenPrev", out, x.dtype);
  c.SetOutput("Hidden", out, x.dtype);
}

void RunGruUnit(KernelContext& c) {
  const Tensor& x = c.Input("Input");
  const Tensor& weight = c.Input("Weight");
  const int64_t batch = x.dims()[0], hidden = weight.dims()[0], width = 3 * hidden;
  const math::Act act = ParseAct(c.Attr<int32_t>("activation"), "activation");
  const math::Act gate_act = ParseAct(c.Attr<int32_t>("gate_activation"), "gate_activation");
  const float* w = weight.data<float>();
  const float* h = c.Input("HiddenPrev").data<float>();
  const Tensor* bias = c.InputOrNull("Bias");
  Tensor own_gate, own_reset;
  float* gate = OutputOrOwn(c, "Gate", x.dims(), &own_gate);
  float* reset = OutputOrOwn(c, "ResetHiddenPrev", {batch, hidden}, &own_reset);
  float* out = c.Output("Hidden").mutable_data<float>();
  std::vector<uint64_t> rows(static_cast<size_t>(batch));
  std::iota(rows.begin(), rows.end(), uint64_t{0});
  GatherRows(x.data<float>(), rows, width, bias != nullptr ? bias->data<float>() : nullptr, gate);
  AddRecurrent(c.threads(), batch, h, math::PackB(hidden, 2 * hidden, w, 2 * hidden, false), gate,
               width, gate_act);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < hidden; ++i)
      reset[b * hidden + i] = gate[b * width + hidden + i] * h[b * hidden + i];
  AddRecurrent(c.threads(), batch, reset,
               math::PackB(hidden, hidden, w + 2 * hidden * hidden, hidden, false),
               gate + 2 * hidden, width, act);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t i = 0; i < hidden; ++i) {
      const float update = gate[b * width + i];
      const float u = c.Attr<bool>("origin_mode") ? 1.0f - update : update;
      const float before = h[b * hidden + i];
      out[b * hidden + i] = before + u * (gate[b * width + 2 * hidden + i] - before);
    }
}

}  // namespace

REGISTER_LITE_OP(gru_unit)
    .Input("Input")
    .Input("HiddenPrev")
    .Input("Weight")
    .OptionalInput("Bias")
    .OptionalOutput("Gate")
    .OptionalOutput("ResetHiddenPrev")
    .Output("Hidden")
    .Attr<int32_t>("activation", 2)
    .Attr<int32_t>("gate_activation", 1)
    .Attr<bool>("origin_mode", false)
    .InferShape(InferGruUnit);
REGISTER_LITE_FUNCTION(gru_unit, kHost, kFloat, kNCHW, RunGruUnit, def);

}  // namespace paddle::lite
