#include <cmath>

#include "lite/core/infer_context.h"
#include "lite/kernels/cpu/math/recurrent.h"
#include "lite/kernels/cpu/quantised/int8.h"
#include "lite/kernels/cpu/recurrent/recurrent.h"
#include "lite/kernels/cpu/recurrent/rnn_matrix.h"

namespace paddle::lite {
namespace {

// kResetFirst is ONNX's GRU with linear_before_reset 0, which Paddle's `rnn` does not have: the
// reset gate acts on the state, not on its product.
enum class Mode { kLstm, kGru, kResetFirst, kTanh, kRelu };

struct Form {
  Mode mode;
  int64_t gates, layers, directions, hidden;

  int64_t weight_count() const { return 4 * layers * directions; }
  size_t states() const { return mode == Mode::kLstm ? 2 : 1; }
  int64_t width() const { return gates * hidden; }
};

Form ReadForm(const OpLite& op) {
  const std::string& mode = op.Attr<std::string>("mode");
  const int64_t layers = op.Attr<int32_t>("num_layers"), hidden = op.Attr<int32_t>("hidden_size");
  const int64_t directions = op.Attr<bool>("is_bidirec") ? 2 : 1;
  if (layers <= 0 || layers > 4096 || hidden <= 0)
    throw ShapeError(StrCat("attributes num_layers and hidden_size are ", layers, " and ", hidden,
                            ", expected positive numbers (at most 4096 layers)"));
  if (mode == "LSTM") return {Mode::kLstm, 4, layers, directions, hidden};
  if (mode == "GRU") return {Mode::kGru, 3, layers, directions, hidden};
  if (mode == "GRU_RESET_FIRST") return {Mode::kResetFirst, 3, layers, directions, hidden};
  if (mode == "RNN_TANH") return {Mode::kTanh, 1, layers, directions, hidden};
  if (mode == "RNN_RELU") return {Mode::kRelu, 1, layers, directions, hidden};
  throw LiteError(StrCat("attribute mode is '", mode,
                         "', expected LSTM, GRU, GRU_RESET_FIRST, RNN_TANH or RNN_RELU"));
}

// WeightList: for each layer and direction the weights of the input and of the hidden state, then
// in the same order the biases.
void CheckWeights(const InferContext& c, const Form& form, int64_t input_size) {
  c.Require(static_cast<int64_t>(c.InputCount("WeightList")) == form.weight_count(),
            "input WeightList has ", c.InputCount("WeightList"), " tensors, expected ",
            form.weight_count(), " for ", form.layers, " layers and ", form.directions,
            " directions");
  const int64_t rows = form.width();
  for (size_t i = 0; i < c.InputCount("WeightList"); ++i) {
    const TensorMeta& weight = c.Input("WeightList", i);
    const auto half = static_cast<size_t>(form.weight_count() / 2);
    DDim wanted{rows};
    if (i < half) {
      const auto layer = static_cast<int64_t>(i) / (2 * form.directions);
      const int64_t below = layer == 0 ? input_size : form.directions * form.hidden;
      wanted.push_back(i % 2 == 0 ? below : form.hidden);
    }
    c.Require(weight.dims == wanted, "input WeightList[", i, "] has shape ", weight.dims,
              ", expected ", wanted);
    if (weight.dtype != DataType::kFP32)
      throw DataTypeError(
          StrCat("input WeightList[", i, "] is ", Name(weight.dtype), ", expected float32"));
  }
}

void CheckScales(const InferContext& c, const Form& form, int64_t input_size) {
  const auto& scales = c.Attr<std::vector<float>>("int8_weight_scales");
  if (scales.empty()) return;
  const int64_t wanted = form.weight_count() / 2 * form.width();
  c.Require(static_cast<int64_t>(scales.size()) == wanted, "attribute int8_weight_scales has ",
            scales.size(), " numbers, expected ", wanted, ", one for each row of a matrix");
  for (const float scale : scales)
    c.Require(std::isnormal(scale) && scale > 0, "attribute int8_weight_scales has ", scale,
              ", expected positive numbers");
  c.Require(form.mode == Mode::kLstm, "attribute int8_weight_scales is not empty, expected mode ",
            "LSTM, got ", c.Attr<std::string>("mode"));
  const int64_t most = std::max(input_size, form.directions * form.hidden);
  c.Require(most <= math::kMaxInt8Summands, "a row of WeightList has ", most,
            " numbers, expected at most ", math::kMaxInt8Summands, " with int8_weight_scales");
}

void InferRnn(InferContext& c) {
  const TensorMeta& x = c.Input("Input");
  const Form form = ReadForm(c.op());
  c.Require(x.dims.size() == 3, "input Input has shape ", x.dims,
            ", expected [time, batch, features]");
  CheckWeights(c, form, x.dims[2]);
  CheckScales(c, form, x.dims[2]);
  const DDim state{form.layers * form.directions, x.dims[1], form.hidden};
  c.Require(c.InputCount("PreState") == form.states(), "input PreState has ",
            c.InputCount("PreState"), " tensors, expected ", form.states());
  for (size_t i = 0; i < form.states(); ++i) {
    c.Require(c.Dims("PreState", i) == state, "input PreState[", i, "] has shape ",
              c.Dims("PreState", i), ", expected ", state);
    c.SetOutput("State", i, state, x.dtype, {});
  }
  if (c.HasInput("SequenceLength"))
    c.Require(c.Dims("SequenceLength").production() == x.dims[1], "input SequenceLength has shape ",
              c.Dims("SequenceLength"), ", expected ", x.dims[1], " lengths");
  c.SetOutput("Out", {x.dims[0], x.dims[1], form.directions * form.hidden}, x.dtype);
  // What training needs; nothing is kept here.
  c.SetOutput("DropoutState", {0}, DataType::kUInt8);
  c.SetOutput("Reserve", {0}, x.dtype);
}

using Floats = std::vector<float>;

// candidate: the last gate's weights of the hidden state, where they have a product of their own.
struct Cell {
  RnnMatrix input, hidden, candidate;
};

// One layer in one direction.
struct Pass {
  const Form& form;
  const Cell& weights;
  const float* hidden_bias;
  int64_t time, batch;
  int threads;
  const int64_t* lengths;  // null: all sequences are of full length
  bool reverse;

  // gates: the input's part for all steps, [time, batch, gates * hidden]. h and cell are the first
  // state and become the last; out has rows of `stride`.
  void Run(float* gates, float* h, float* cell, float* out, int64_t stride) const {
    const int64_t n = form.hidden, width = form.width();
    Floats product(static_cast<size_t>(batch * width));
    for (int64_t step = 0; step < time; ++step) {
      const int64_t t = reverse ? time - 1 - step : step;
      float* gate = gates + t * batch * width;
      if (form.mode == Mode::kGru) {
        math::Epilogue epilogue;
        epilogue.bias = hidden_bias;
        weights.hidden.Multiply(threads, batch, h, product.data(), width, epilogue);
      } else if (form.mode == Mode::kResetFirst) {
        ResetFirst(gate, product.data(), h);
      } else {
        AddTo(gate, h, weights.hidden, SimpleAct());
      }
      const auto update = [&](int64_t first, int64_t rows) {
        Update({rows, n, gate + first * width, width, h + first * n,
                cell != nullptr ? cell + first * n : nullptr, product.data() + first * width});
        for (int64_t b = first; b < first + rows; ++b)
          std::copy(h + b * n, h + (b + 1) * n, out + (t * batch + b) * stride);
      };
      if (lengths == nullptr) {
        update(0, batch);
        continue;
      }
      for (int64_t b = 0; b < batch; ++b) {
        float* const to = out + (t * batch + b) * stride;
        if (t < lengths[b])
          update(b, 1);
        else  // past the end: the state stays
          std::fill(to, to + n, 0.0f);
      }
    }
  }

  // gate = act(gate + state * matrix)
  void AddTo(float* gate, const float* state, const RnnMatrix& matrix, math::Act act) const {
    const OntoGate onto(gate, form.width(), act);
    matrix.Multiply(threads, batch, state, gate, form.width(), onto.epilogue);
  }

  math::Act SimpleAct() const {
    if (form.mode == Mode::kTanh) return math::Act::kTanh;
    return form.mode == Mode::kRelu ? math::Act::kRelu : math::Act::kNone;
  }

  // The next state of some rows.
  void Update(const math::GatedRows& g) const {
    if (form.mode == Mode::kLstm) return LstmRows(g);
    if (form.mode == Mode::kGru) return GruRows(g);
    for (int64_t r = 0; r < g.rows; ++r) {
      const float* const gate = g.gates + r * g.gate_stride;
      float* const h = g.h + r * g.n;
      if (form.mode == Mode::kResetFirst)
        Mix(gate + g.n, gate + 2 * g.n, h);
      else
        std::copy(gate, gate + g.n, h);
    }
  }

  // Gates in the order reset, update, candidate; the candidate's product is with the state after
  // the reset gate.
  void ResetFirst(float* gate, float* kept, const float* h) const {
    const int64_t n = form.hidden, width = form.width();
    AddTo(gate, h, weights.hidden, math::Act::kSigmoid);
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t i = 0; i < n; ++i) kept[b * n + i] = gate[b * width + i] * h[b * n + i];
    AddTo(gate + 2 * n, kept, weights.candidate, math::Act::kTanh);
  }

  // So much of the state before as the update gate keeps, and of the candidate.
  void Mix(const float* update, const float* candidate, float* h) const {
    for (int64_t i = 0; i < form.hidden; ++i)
      h[i] = candidate[i] + update[i] * (h[i] - candidate[i]);
  }
};

math::PackedMatrix PackRows(const Tensor& weight, int64_t first, int64_t rows) {
  const int64_t size = weight.dims()[1];
  return math::PackB(size, rows, weight.data<float>() + first * size, size, /*transposed=*/true);
}

math::PackedMatrix PackWeight(const Tensor& weight) {
  return PackRows(weight, 0, weight.dims()[0]);
}

math::PackedMatrix PackGates(const Tensor& weight) {
  return PackRows(weight, 0, weight.dims()[0] / 3 * 2);
}

math::PackedMatrix PackCandidate(const Tensor& weight) {
  return PackRows(weight, weight.dims()[0] / 3 * 2, weight.dims()[0] / 3);
}

class Rnn final : public KernelBase {
 public:
  void PrepareForRun(KernelContext& c) override { weights_ = Pack(c, /*now=*/false); }

  void Run(KernelContext& c) override {
    const Form form = ReadForm(c.op());
    const DDim& x = c.Input("Input").dims();
    const auto weights = weights_.empty() ? Pack(c, /*now=*/true) : weights_;
    const std::vector<int64_t> lengths = Lengths(c, x);
    for (size_t i = 0; i < form.states(); ++i) {
      const Tensor& first = c.Input("PreState", i);
      std::copy(first.data<float>(), first.data<float>() + first.numel(),
                c.Output("State", i).mutable_data<float>());
    }
    const float* below = c.Input("Input").data<float>();
    // Behind the longest sequence is nothing to compute.
    const int64_t time = lengths.empty() ? x[0] : *std::max_element(lengths.begin(), lengths.end());
    const int64_t rows = time * x[1], out_size = form.directions * form.hidden;
    const int64_t width = form.width();
    Floats gates(static_cast<size_t>(rows * width));
    Floats between[2];
    for (int64_t layer = 0; layer < form.layers; ++layer) {
      float* out = c.Output("Out").mutable_data<float>();
      if (layer + 1 < form.layers) {
        between[layer % 2].resize(static_cast<size_t>(rows * out_size));
        out = between[layer % 2].data();
      }
      for (int64_t d = 0; d < form.directions; ++d) {
        const int64_t at = layer * form.directions + d;
        const Cell& cell = weights[static_cast<size_t>(at)];
        const auto bias = [&](int64_t which) {
          const int64_t index = form.weight_count() / 2 + 2 * at + which;
          return c.Input("WeightList", static_cast<size_t>(index)).data<float>();
        };
        const Floats sum = InputBias(form, bias(0), bias(1));
        math::Epilogue epilogue;
        epilogue.bias = sum.data();
        cell.input.Multiply(c.threads(), rows, below, gates.data(), width, epilogue);
        const Pass pass{form,
                        cell,
                        bias(1),
                        time,
                        x[1],
                        c.threads(),
                        lengths.empty() ? nullptr : lengths.data(),
                        d == 1};
        const auto state = [&](size_t which) {
          return c.Output("State", which).mutable_data<float>() + at * x[1] * form.hidden;
        };
        pass.Run(gates.data(), state(0), form.states() == 2 ? state(1) : nullptr,
                 out + d * form.hidden, out_size);
      }
      below = out;
    }
    float* out = c.Output("Out").mutable_data<float>();
    std::fill(out + rows * out_size, out + x[0] * x[1] * out_size, 0.0f);
  }

 private:
  template <typename Packer>
  static auto PackedOrNow(KernelContext& c, bool now, size_t index, const std::string& part,
                          const Packer& packer) {
    using Packed = decltype(packer(c.Input("WeightList", index)));
    if (!now) return c.PackedInput<Packed>("WeightList", part, packer, index);
    return std::make_shared<const Packed>(packer(c.Input("WeightList", index)));
  }

  // The packed weights of each layer and direction; empty where they are no constants, unless
  // they are wanted `now`.
  static std::vector<Cell> Pack(KernelContext& c, bool now) {
    const Form form = ReadForm(c.op());
    const auto reals = [&](size_t index, const char* part, auto packer) {
      return RnnMatrix{PackedOrNow(c, now, index, part, packer), nullptr};
    };
    const auto& scales = c.Attr<std::vector<float>>("int8_weight_scales");
    const auto whole = [&](size_t index) {
      if (scales.empty()) return reals(index, "rnn", PackWeight);
      const float* const of_rows = scales.data() + static_cast<int64_t>(index) * form.width();
      const auto pack = [&](const Tensor& weight) { return SteppedMatrix(weight, of_rows); };
      const std::string part = StrCat("rnn steps ", math::IsaName(), WeightScalesText(c.op()));
      return RnnMatrix{nullptr, PackedOrNow(c, now, index, part, pack)};
    };
    const bool split = form.mode == Mode::kResetFirst;
    std::vector<Cell> cells;
    for (size_t i = 0; i < c.InputCount("WeightList") / 2; i += 2) {
      cells.push_back({whole(i), split ? reals(i + 1, "rnn gates", PackGates) : whole(i + 1), {}});
      Cell& cell = cells.back();
      if (split) cell.candidate = reals(i + 1, "rnn candidate", PackCandidate);
      if (cell.input.empty() || cell.hidden.empty() || (split && cell.candidate.empty())) return {};
    }
    return cells;
  }

  static std::vector<int64_t> Lengths(const KernelContext& c, const DDim& x) {
    const Tensor* tensor = c.InputOrNull("SequenceLength");
    if (tensor == nullptr) return {};
    std::vector<int64_t> lengths = ReadInts(*tensor, "SequenceLength");
    for (const int64_t length : lengths)
      if (length < 0 || length > x[0])
        throw ShapeError(StrCat("input SequenceLength holds ", length, ", expected 0 to ", x[0],
                                " for Input of shape ", x));
    return lengths;
  }

  // Both biases where they are simply added; gru's reset gate acts on the hidden one.
  static Floats InputBias(const Form& form, const float* input, const float* hidden) {
    Floats sum(input, input + form.gates * form.hidden);
    if (form.mode != Mode::kGru)
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += hidden[i];
    return sum;
  }

  std::vector<Cell> weights_;
};

}  // namespace

REGISTER_LITE_OP(rnn)
    .Input("Input")
    .Inputs("PreState")
    .Inputs("WeightList")
    .OptionalInput("SequenceLength")
    .Output("Out")
    .OptionalOutput("DropoutState")
    .Outputs("State")
    .OptionalOutput("Reserve")
    .Attr<bool>("is_bidirec", false)
    .Attr<int32_t>("hidden_size", 100)
    .Attr<int32_t>("num_layers", 1)
    .Attr<std::string>("mode", "RNN_TANH")
    // Ours, of an LSTM: the rows of WeightList's matrices are multiples of these, one number a row,
    // and the inputs of each product are rounded to 256 steps of what they hold.
    .Attr<std::vector<float>>("int8_weight_scales", {})
    .InferShape(InferRnn);
REGISTER_LITE_KERNEL(rnn, kHost, kFloat, kNCHW, Rnn, def);

}  // namespace paddle::lite
