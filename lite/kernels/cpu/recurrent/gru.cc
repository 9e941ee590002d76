#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/recurrent/recurrent.h"

namespace paddle::lite {
namespace {

void InferGru(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const DDim& weight = c.Dims("Weight");
  const Offsets& offsets = OnlyOffsets(x, "Input");
  c.Require(weight.size() == 2 && weight[1] == 3 * weight[0], "input Weight has shape ", weight,
            ", expected [hidden, 3 * hidden]");
  const int64_t hidden = weight[0];
  c.Require(x.dims.size() == 2 && x.dims[1] == weight[1], "input Input has shape ", x.dims,
            ", expected [words, ", weight[1], "] for Weight ", weight);
  if (c.HasInput("Bias"))
    c.Require(c.Dims("Bias") == DDim({1, weight[1]}), "input Bias has shape ", c.Dims("Bias"),
              ", expected [1, ", weight[1], "]");
  if (c.HasInput("H0"))
    c.Require(c.Dims("H0") == DDim({SequenceCount(offsets), hidden}), "input H0 has shape ",
              c.Dims("H0"), ", expected [", SequenceCount(offsets), " sequences, ", hidden, "]");
  RecurrentActivation(c.Attr<std::string>("activation"), "activation");
  RecurrentActivation(c.Attr<std::string>("gate_activation"), "gate_activation");
  const DDim out{x.dims[0], hidden};
  c.SetOutput("Hidden", out, x.dtype, x.lod);
  if (!c.HasOutput("BatchGate") && !c.HasOutput("BatchHidden")) {
    c.SetOutput("BatchResetHiddenPrev", out, x.dtype);
    return;
  }
  const LoD lod = TimeBatches(offsets, c.Attr<bool>("is_reverse")).lod();
  c.SetOutput("BatchGate", x.dims, x.dtype, lod);
  c.SetOutput("BatchResetHiddenPrev", out, x.dtype);
  c.SetOutput("BatchHidden", out, x.dtype, lod);
}

// Weight holds two matrices: [hidden, 2 * hidden] for the update and reset gates, then
// [hidden, hidden] for the candidate.
struct Weights {
  math::PackedMatrix gates, candidate;
};

Weights Pack(const Tensor& weight) {
  const int64_t hidden = weight.dims()[0];
  const float* data = weight.data<float>();
  return {math::PackB(hidden, 2 * hidden, data, 2 * hidden, false),
          math::PackB(hidden, hidden, data + 2 * hidden * hidden, hidden, false)};
}

class Gru final : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    packed_ = c.PackedInput<Weights>("Weight", "gru", Pack);
  }

  void Run(KernelContext& c) override {
    const Tensor& x = c.Input("Input");
    const TimeBatches batches(OnlyOffsets(x.meta(), "Input"), c.Attr<bool>("is_reverse"));
    if (packed_ == nullptr) unpacked_ = Pack(c.Input("Weight"));
    const Step step(c, packed_ != nullptr ? *packed_ : unpacked_);
    const int64_t rows = x.dims()[0], hidden = step.hidden;
    Tensor gate, reset, all;
    float* gates = OutputOrOwn(c, "BatchGate", {rows, 3 * hidden}, &gate);
    float* resets = OutputOrOwn(c, "BatchResetHiddenPrev", {rows, hidden}, &reset);
    float* hiddens = OutputOrOwn(c, "BatchHidden", {rows, hidden}, &all);
    const Tensor* bias = c.InputOrNull("Bias");
    GatherRows(x.data<float>(), batches.rows, 3 * hidden, bias ? bias->data<float>() : nullptr,
               gates);
    std::vector<float> first;
    if (const Tensor* h0 = c.InputOrNull("H0")) {
      first.resize(static_cast<size_t>(h0->numel()));
      GatherRows(h0->data<float>(), batches.order, hidden, nullptr, first.data());
    }
    const float* previous = first.empty() ? nullptr : first.data();
    for (int64_t t = 0; t < batches.step_count(); ++t) {
      const int64_t begin = batches.steps[static_cast<size_t>(t)];
      const int64_t count = batches.steps[static_cast<size_t>(t) + 1] - begin;
      step.Compute(count, previous, gates + begin * 3 * hidden, resets + begin * hidden,
                   hiddens + begin * hidden);
      previous = hiddens + begin * hidden;
    }
    ScatterRows(hiddens, batches.rows, hidden, c.Output("Hidden").mutable_data<float>());
  }

 private:
  struct Step {
    Step(const KernelContext& c, const Weights& w)
        : weights(w),
          hidden(c.Input("Weight").dims()[0]),
          threads(c.threads()),
          act(RecurrentActivation(c.Attr<std::string>("activation"), "activation")),
          gate_act(RecurrentActivation(c.Attr<std::string>("gate_activation"), "gate_activation")),
          origin_mode(c.Attr<bool>("origin_mode")) {}

    // gate holds the input's part of update, reset and candidate, and becomes their values.
    void Compute(int64_t count, const float* previous, float* gate, float* reset,
                 float* out) const {
      AddProduct(count, previous, weights.gates, gate, gate_act);
      for (int64_t r = 0; r < count; ++r)
        for (int64_t i = 0; i < hidden; ++i)
          reset[r * hidden + i] =
              previous ? gate[(3 * r + 1) * hidden + i] * previous[r * hidden + i] : 0.0f;
      AddProduct(count, previous ? reset : nullptr, weights.candidate, gate + 2 * hidden, act);
      for (int64_t r = 0; r < count; ++r) {
        const float* update = gate + 3 * r * hidden;
        const float* candidate = update + 2 * hidden;
        for (int64_t i = 0; i < hidden; ++i) {
          const float h = previous ? previous[r * hidden + i] : 0.0f;
          const float u = origin_mode ? 1.0f - update[i] : update[i];
          out[r * hidden + i] = h + u * (candidate[i] - h);
        }
      }
    }

    // gate = act(gate + h * w), where no h means zeros.
    void AddProduct(int64_t count, const float* h, const math::PackedMatrix& w, float* gate,
                    math::Act function) const {
      AddRecurrent(threads, count, h, w, gate, 3 * hidden, function);
    }

    const Weights& weights;
    int64_t hidden;
    int threads;
    math::Act act, gate_act;
    bool origin_mode;
  };

  std::shared_ptr<const Weights> packed_;
  Weights unpacked_;
};

}  // namespace

REGISTER_LITE_OP(gru)
    .Input("Input")
    .OptionalInput("H0")
    .Input("Weight")
    .OptionalInput("Bias")
    .OptionalOutput("BatchGate")
    .OptionalOutput("BatchResetHiddenPrev")
    .OptionalOutput("BatchHidden")
    .Output("Hidden")
    .Attr<std::string>("activation", "tanh")
    .Attr<std::string>("gate_activation", "sigmoid")
    .Attr<bool>("is_reverse", false)
    .Attr<bool>("origin_mode", false)
    .InferShape(InferGru);
REGISTER_LITE_KERNEL(gru, kHost, kFloat, kNCHW, Gru, def);

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
