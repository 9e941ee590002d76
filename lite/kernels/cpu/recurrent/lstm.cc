#include "lite/core/infer_context.h"
#include "lite/core/kernel.h"
#include "lite/kernels/cpu/recurrent/recurrent.h"

namespace paddle::lite {
namespace {

void InferLstm(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const DDim& weight = c.Dims("Weight");
  const Offsets& offsets = OnlyOffsets(x, "Input");
  c.Require(weight.size() == 2 && weight[1] == 4 * weight[0], "input Weight has shape ", weight,
            ", expected [hidden, 4 * hidden]");
  const int64_t hidden = weight[0];
  c.Require(x.dims.size() == 2 && x.dims[1] == weight[1], "input Input has shape ", x.dims,
            ", expected [words, ", weight[1], "] for Weight ", weight);
  const int64_t bias = (c.Attr<bool>("use_peepholes") ? 7 : 4) * hidden;
  c.Require(c.Dims("Bias") == DDim({1, bias}), "input Bias has shape ", c.Dims("Bias"),
            ", expected [1, ", bias, "] with use_peepholes ", c.Attr<bool>("use_peepholes"));
  c.Require(c.HasInput("H0") == c.HasInput("C0"), "input ", c.HasInput("H0") ? "C0" : "H0",
            " is absent, expected both or none of H0 and C0");
  for (const char* slot : {"H0", "C0"})
    if (c.HasInput(slot))
      c.Require(c.Dims(slot) == DDim({SequenceCount(offsets), hidden}), "input ", slot,
                " has shape ", c.Dims(slot), ", expected [", SequenceCount(offsets), " sequences, ",
                hidden, "]");
  for (const char* name : {"gate_activation", "cell_activation", "candidate_activation"})
    RecurrentActivation(c.Attr<std::string>(name), name);
  const DDim out{x.dims[0], hidden};
  c.SetOutput("Hidden", out, x.dtype, x.lod);
  c.SetOutput("Cell", out, x.dtype, x.lod);
  if (c.HasOutput("BatchGate"))
    c.SetOutput("BatchGate", x.dims, x.dtype,
                TimeBatches(offsets, c.Attr<bool>("is_reverse")).lod());
  c.SetOutput("BatchCellPreAct", out, x.dtype);
}

// One time step; the gates stand in the order candidate, input, forget, output.
struct LstmStep {
  const math::PackedMatrix& weight;
  const float* peepholes;  // of input, forget and output, or null
  int64_t hidden;
  int threads;
  math::Act gate_act, cell_act, candidate_act;

  // gate holds the input's part and becomes the gates' values; h_prev and c_prev may be null.
  void Compute(int64_t count, const float* h_prev, const float* c_prev, float* gate, float* h,
               float* cell, float* cell_act_out) const {
    const int64_t width = 4 * hidden;
    AddRecurrent(threads, count, h_prev, weight, gate, width, math::Act::kNone);
    if (peepholes != nullptr && c_prev != nullptr) AddPeepholes(count, c_prev, gate);
    Activate(candidate_act, count, hidden, gate, width);
    Activate(gate_act, count, 2 * hidden, gate + hidden, width);
    for (int64_t r = 0; r < count; ++r) {
      const float* candidate = gate + r * width;
      const float *in = candidate + hidden, *forget = candidate + 2 * hidden;
      float* out_gate = gate + r * width + 3 * hidden;
      float* now = cell + r * hidden;
      for (int64_t i = 0; i < hidden; ++i)
        now[i] = candidate[i] * in[i] + (c_prev ? c_prev[r * hidden + i] * forget[i] : 0.0f);
      if (peepholes != nullptr)
        for (int64_t i = 0; i < hidden; ++i) out_gate[i] += now[i] * peepholes[2 * hidden + i];
    }
    Activate(gate_act, count, hidden, gate + 3 * hidden, width);
    std::copy(cell, cell + count * hidden, cell_act_out);
    Activate(cell_act, count, hidden, cell_act_out, hidden);
    for (int64_t r = 0; r < count; ++r)
      for (int64_t i = 0; i < hidden; ++i)
        h[r * hidden + i] = gate[r * width + 3 * hidden + i] * cell_act_out[r * hidden + i];
  }

  void AddPeepholes(int64_t count, const float* c_prev, float* gate) const {
    for (int64_t r = 0; r < count; ++r, c_prev += hidden) {
      float *in = gate + (4 * r + 1) * hidden, *forget = in + hidden;
      for (int64_t i = 0; i < hidden; ++i) {
        in[i] += c_prev[i] * peepholes[i];
        forget[i] += c_prev[i] * peepholes[hidden + i];
      }
    }
  }
};

math::PackedMatrix PackLstm(const Tensor& weight) {
  const int64_t hidden = weight.dims()[0];
  return math::PackB(hidden, 4 * hidden, weight.data<float>(), 4 * hidden, false);
}

class Lstm final : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override {
    packed_ = c.PackedInput<math::PackedMatrix>("Weight", "lstm", PackLstm);
  }

  void Run(KernelContext& c) override {
    const Tensor& x = c.Input("Input");
    const TimeBatches batches(OnlyOffsets(x.meta(), "Input"), c.Attr<bool>("is_reverse"));
    const int64_t rows = x.dims()[0], hidden = x.dims()[1] / 4;
    if (packed_ == nullptr) unpacked_ = PackLstm(c.Input("Weight"));
    const float* bias = c.Input("Bias").data<float>();
    const auto act = [&](const char* name) {
      return RecurrentActivation(c.Attr<std::string>(name), name);
    };
    const LstmStep step{packed_ != nullptr ? *packed_ : unpacked_,
                        c.Attr<bool>("use_peepholes") ? bias + 4 * hidden : nullptr,
                        hidden,
                        c.threads(),
                        act("gate_activation"),
                        act("cell_activation"),
                        act("candidate_activation")};
    Tensor own_gate, own_act;
    float* gate = OutputOrOwn(c, "BatchGate", {rows, 4 * hidden}, &own_gate);
    float* cell_act = OutputOrOwn(c, "BatchCellPreAct", {rows, hidden}, &own_act);
    const auto size = static_cast<size_t>(rows * hidden);
    Floats h(size), cell(size);
    GatherRows(x.data<float>(), batches.rows, 4 * hidden, bias, gate);
    const Floats h0 = First(c, "H0", batches, hidden), c0 = First(c, "C0", batches, hidden);
    const float* h_prev = h0.empty() ? nullptr : h0.data();
    const float* c_prev = c0.empty() ? nullptr : c0.data();
    for (int64_t t = 0; t < batches.step_count(); ++t) {
      const int64_t begin = batches.steps[static_cast<size_t>(t)];
      const int64_t count = batches.steps[static_cast<size_t>(t) + 1] - begin, at = begin * hidden;
      step.Compute(count, h_prev, c_prev, gate + 4 * at, h.data() + at, cell.data() + at,
                   cell_act + at);
      h_prev = h.data() + at;
      c_prev = cell.data() + at;
    }
    ScatterRows(h.data(), batches.rows, hidden, c.Output("Hidden").mutable_data<float>());
    ScatterRows(cell.data(), batches.rows, hidden, c.Output("Cell").mutable_data<float>());
  }

 private:
  using Floats = std::vector<float>;

  // The first state in batch order; empty where the input is absent.
  static Floats First(const KernelContext& c, const char* slot, const TimeBatches& batches,
                      int64_t hidden) {
    const Tensor* state = c.InputOrNull(slot);
    if (state == nullptr) return {};
    Floats ordered(static_cast<size_t>(state->numel()));
    GatherRows(state->data<float>(), batches.order, hidden, nullptr, ordered.data());
    return ordered;
  }

  std::shared_ptr<const math::PackedMatrix> packed_;
  math::PackedMatrix unpacked_;
};

}  // namespace

REGISTER_LITE_OP(lstm)
    .Input("Input")
    .OptionalInput("H0")
    .OptionalInput("C0")
    .Input("Weight")
    .Input("Bias")
    .Output("Hidden")
    .Output("Cell")
    .OptionalOutput("BatchGate")
    .OptionalOutput("BatchCellPreAct")
    .Attr<bool>("use_peepholes", true)
    .Attr<bool>("is_reverse", false)
    .Attr<std::string>("gate_activation", "sigmoid")
    .Attr<std::string>("cell_activation", "tanh")
    .Attr<std::string>("candidate_activation", "tanh")
    .InferShape(InferLstm);
REGISTER_LITE_KERNEL(lstm, kHost, kFloat, kNCHW, Lstm, def);

}  // namespace paddle::lite
