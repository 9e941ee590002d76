// Recurrent networks: what their steps are made of, RNN and LSTM, and sequences of steps, which are
// unrolled.
#include <array>
#include <vector>

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

// Activations that NNAPI has for recurrent networks only.
enum { kTanh = 4, kSigmoid = 6 };

// x * transposed w + b; of an absent x or w nothing. b may be null.
Value Dense(Translation& t, Value x, Value w, Value b) {
  if (x == nullptr || w == nullptr) return nullptr;
  return t.Emit(NNADAPTER_FULLY_CONNECTED, {x, w, b, t.Int32(NNADAPTER_FUSED_NONE)});
}

// a + b, or the one that is there.
Value Added(Translation& t, Value a, Value b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  return t.Emit(NNADAPTER_ADD, {a, b, t.Int32(NNADAPTER_FUSED_NONE)});
}

// An activation by its number: those of NNAPI and the two above.
Value RecurrentActivation(Translation& t, Value x, int32_t code) {
  switch (code) {
    case ANEURALNETWORKS_FUSED_NONE:
      return x;
    case ANEURALNETWORKS_FUSED_RELU:
      return t.Emit(NNADAPTER_RELU, {x});
    case ANEURALNETWORKS_FUSED_RELU1:
      return t.Emit(NNADAPTER_CLIP, {x, t.Float32(-1), t.Float32(1)});
    case ANEURALNETWORKS_FUSED_RELU6:
      return t.Emit(NNADAPTER_RELU6, {x});
    case kTanh:
      return t.Emit(NNADAPTER_TANH, {x});
    case kSigmoid:
      return t.Emit(NNADAPTER_SIGMOID, {x});
    default:
      Translation::Refuse("its activation " + std::to_string(code) + " is not known");
  }
}

// Input i as FLOAT32, or null.
Value RealInput(Translation& t, size_t i) { return t.Real(t.Input(i)); }

// One tensor [time, batch, size] or [batch, time, size] step by step.
class Sequence {
 public:
  Sequence(Translation& t, Value x, bool time_major);

  // [batch, size] of each moment, in the order of time. Absent ones where the sequence is absent.
  Value At(size_t moment) const;
  size_t length() const { return length_; }
  // The results of all moments, in the order of time, as one tensor.
  Value Joined(const std::vector<Value>& results) const;

 private:
  Translation& t_;
  Value x_;
  int32_t axis_;
  size_t length_ = 0;
};

Sequence::Sequence(Translation& t, Value x, bool time_major)
    : t_(t), x_(x), axis_(time_major ? 0 : 1) {
  if (x == nullptr) return;
  if (x->dims.size() != 3)
    Translation::Refuse("its sequence " + ShapeText(x->dims) + " has not three dimensions");
  length_ = static_cast<size_t>(x->dims[static_cast<size_t>(axis_)]);
}

Value Sequence::At(size_t moment) const {
  if (x_ == nullptr) return nullptr;
  const auto first = static_cast<int32_t>(moment);
  const Value part = Sliced(t_, x_, axis_, first, first + 1);
  return t_.Reshaped(part, {x_->dims[axis_ == 0 ? 1 : 0], x_->dims[2]});
}

Value Sequence::Joined(const std::vector<Value>& results) const {
  if (results.size() == 1) {
    Shape dims = results[0]->dims;
    dims.insert(dims.begin() + axis_, 1);
    return t_.Reshaped(results[0], dims);
  }
  std::vector<Value> inputs = results;
  inputs.push_back(t_.Int32(axis_));
  return t_.Emit(NNADAPTER_STACK, inputs);
}

// A cell's result at each moment, from the last one to the first if `backwards`, in the order of
// time.
template <typename Cell>
std::vector<Value> Run(Translation& t, Cell* cell, const Sequence& x, const Sequence& second,
                       bool backwards) {
  std::vector<Value> results(x.length());
  for (size_t i = 0; i < results.size(); ++i) {
    const size_t moment = backwards ? results.size() - 1 - i : i;
    results[moment] = cell->Step(t, x.At(moment), second.At(moment));
  }
  return results;
}

struct BothWays {
  Value second;  // another input of both cells; if `linked`, the backward one's in place of input 0
  bool linked, time_major, merge;
};

// Sets the first outputs: the results of both directions, in one if they merge. Returns how many
// they are.
template <typename Cell>
size_t RunBothWays(Translation& t, Cell* forward, Cell* backward, const BothWays& how) {
  const Sequence x(t, RealInput(t, 0), how.time_major);
  const Sequence second(t, how.linked ? nullptr : how.second, how.time_major);
  const Sequence other(t, how.linked ? how.second : RealInput(t, 0), how.time_major);
  std::vector<Value> first = Run(t, forward, x, second, false);
  const std::vector<Value> behind = Run(t, backward, other, second, true);
  for (size_t i = 0; how.merge && i < first.size(); ++i)
    first[i] = t.Emit(NNADAPTER_CONCAT, {first[i], behind[i], t.Int32(1)});
  t.SetOutput(0, x.Joined(first));
  if (!how.merge) t.SetOutput(1, x.Joined(behind));
  return how.merge ? 1 : 2;
}

// Output o, if the operation has it.
void SetIfThere(Translation& t, size_t o, Value v) {
  if (o < t.outputs()) t.SetOutput(o, v);
}

struct Rnn {
  Value weights, recurrent, bias, state;
  Value auxiliary_weights = nullptr;
  int32_t activation;

  // The next state, which is the result as well.
  Value Step(Translation& t, Value x, Value auxiliary) {
    const Value own = Added(t, Dense(t, x, weights, bias), Dense(t, state, recurrent, nullptr));
    const Value sum = Added(t, own, Dense(t, auxiliary, auxiliary_weights, nullptr));
    return state = RecurrentActivation(t, sum, activation);
  }
};

// Weights, recurrent weights, bias and state from input `first` on.
Rnn RnnAt(Translation& t, size_t first, int32_t activation) {
  return {RealInput(t, first),
          RealInput(t, first + 1),
          RealInput(t, first + 2),
          RealInput(t, first + 3),
          nullptr,
          activation};
}

}  // namespace

// (x, weights, recurrent weights, bias, state, activation) -> state, result
CONVERTER(RNN) {
  Rnn rnn = RnnAt(t, 1, t.Int(5));
  const Value out = rnn.Step(t, RealInput(t, 0), nullptr);
  t.SetOutput(0, out);
  t.SetOutput(1, out);
}

// (.., activation, time major) -> result, [state]
CONVERTER(UNIDIRECTIONAL_SEQUENCE_RNN) {
  const Sequence x(t, RealInput(t, 0), t.Int(6) != 0), none(t, nullptr, true);
  Rnn rnn = RnnAt(t, 1, t.Int(5));
  t.SetOutput(0, x.Joined(Run(t, &rnn, x, none, false)));
  SetIfThere(t, 1, rnn.state);
}

// (x, forward 4, backward 4, auxiliary x, its forward and backward weights, activation, time major,
// merge) -> forward, [backward], [both states]. An auxiliary input without weights of its own is
// the backward one's input.
CONVERTER(BIDIRECTIONAL_SEQUENCE_RNN) {
  Rnn forward = RnnAt(t, 1, t.Int(12)), backward = RnnAt(t, 5, t.Int(12));
  forward.auxiliary_weights = RealInput(t, 10);
  backward.auxiliary_weights = RealInput(t, 11);
  const Value second = RealInput(t, 9);
  const bool linked = second != nullptr && forward.auxiliary_weights == nullptr;
  const size_t states =
      RunBothWays(t, &forward, &backward, {second, linked, t.Bool(13), t.Bool(14)});
  SetIfThere(t, states, forward.state);
  SetIfThere(t, states + 1, backward.state);
}

// (x, weights of features, of time, bias, state, rank, activation) -> state, result. The state is
// a memory of features for each filter, the newest last.
CONVERTER(SVDF) {
  const Value x = RealInput(t, 0), weights = RealInput(t, 2), state = RealInput(t, 4);
  const int32_t batch = x->dims[0], filters = weights->dims[0], memory = weights->dims[1];
  const int32_t rank = t.Int(5);
  if (rank < 1 || filters % rank != 0)
    Translation::Refuse("its rank does not divide " + std::to_string(filters) + " filters");
  const Value feature = Dense(t, x, RealInput(t, 1), nullptr);
  const Value old = t.Reshaped(state, {batch, filters, memory});
  const Value newest = t.Reshaped(feature, {batch, filters, 1});
  const Value next =
      memory == 1 ? newest
                  : t.Emit(NNADAPTER_CONCAT, {Sliced(t, old, 2, 1, memory), newest, t.Int32(2)});
  const Value weighted =
      t.Reshaped(Multiplied(t, next, weights), {batch, filters / rank, rank * memory});
  const Value sums = t.Emit(NNADAPTER_REDUCE_SUM, {weighted, t.Int32s({2}), t.Bool8(false)});
  const Value out = Added(t, sums, RealInput(t, 3));
  t.SetOutput(0, t.Reshaped(next, state->dims));
  t.SetOutput(1, RecurrentActivation(t, out, t.Int(6)));
}

namespace {

enum Gate { kInput, kForget, kCell, kOutput, kGates };
using Gates = std::array<Value, kGates>;

Gates GatesAt(Translation& t, size_t first) {
  Gates gates;
  for (size_t i = 0; i < kGates; ++i) gates[i] = RealInput(t, first + i);
  return gates;
}

Value Clipped(Translation& t, Value x, float limit) {
  if (limit <= 0) return x;
  return t.Emit(NNADAPTER_CLIP, {x, t.Float32(-limit), t.Float32(limit)});
}

struct Lstm {
  Gates weights, recurrent, bias;
  Gates peephole;  // none for the cell
  Gates norm{}, auxiliary{};
  Value projection, projection_bias;
  Value state = nullptr, cell = nullptr;
  int32_t activation = 0;
  float cell_clip = 0, projection_clip = 0;

  Value Step(Translation& t, Value x, Value second);

 private:
  Value Sum(Translation& t, Gate gate, Value x, Value second, Value cell_seen) const;
};

// Weights 4, recurrent weights 4, peepholes 3, biases 4, projection and its bias.
Lstm LstmAt(Translation& t, size_t first) {
  Lstm lstm;
  lstm.weights = GatesAt(t, first);
  lstm.recurrent = GatesAt(t, first + 4);
  lstm.peephole = {RealInput(t, first + 8), RealInput(t, first + 9), nullptr,
                   RealInput(t, first + 10)};
  lstm.bias = GatesAt(t, first + 11);
  lstm.projection = RealInput(t, first + 15);
  lstm.projection_bias = RealInput(t, first + 16);
  return lstm;
}

// What goes into a gate's activation.
Value Lstm::Sum(Translation& t, Gate gate, Value x, Value second, Value cell_seen) const {
  const Value inner_bias = norm[gate] == nullptr ? bias[gate] : nullptr;
  Value sum =
      Added(t, Dense(t, x, weights[gate], inner_bias), Dense(t, state, recurrent[gate], nullptr));
  sum = Added(t, sum, Dense(t, second, auxiliary[gate], nullptr));
  if (peephole[gate] != nullptr) sum = Added(t, sum, Multiplied(t, cell_seen, peephole[gate]));
  if (norm[gate] == nullptr) return sum;
  return t.Emit(NNADAPTER_LAYER_NORMALIZATION,
                {sum, norm[gate], bias[gate], t.Int32(1), t.Float32(1e-8f)});
}

// The next state, which is the result as well. Without weights of its own the input gate is what
// the forget gate leaves.
Value Lstm::Step(Translation& t, Value x, Value second) {
  const auto sigmoid = [&](Value v) { return t.Emit(NNADAPTER_SIGMOID, {v}); };
  const Value forget = sigmoid(Sum(t, kForget, x, second, cell));
  Value input;
  if (weights[kInput] != nullptr)
    input = sigmoid(Sum(t, kInput, x, second, cell));
  else
    input = t.Emit(NNADAPTER_SUB, {t.Float32(1), forget, t.Int32(NNADAPTER_FUSED_NONE)});
  const Value fresh = RecurrentActivation(t, Sum(t, kCell, x, second, nullptr), activation);
  const Value next = Added(t, Multiplied(t, forget, cell), Multiplied(t, input, fresh));
  cell = Clipped(t, next, cell_clip);
  const Value output = sigmoid(Sum(t, kOutput, x, second, cell));
  state = Multiplied(t, output, RecurrentActivation(t, cell, activation));
  if (projection != nullptr)
    state = Clipped(t, Dense(t, state, projection, projection_bias), projection_clip);
  return state;
}

// A cell's states from input `states` on; activation and clips from `settings` on.
void Prepare(Translation& t, Lstm* lstm, size_t states, size_t settings, size_t norms) {
  lstm->state = RealInput(t, states);
  lstm->cell = RealInput(t, states + 1);
  lstm->activation = t.Int(settings);
  lstm->cell_clip = t.Float(settings + 1);
  lstm->projection_clip = t.Float(settings + 2);
  lstm->norm = GatesAt(t, norms);
}

}  // namespace

// (x, cell 17, states 2, activation, clips 2, [normalisation 4]) -> scratch, state, cell, result
CONVERTER(LSTM) {
  Lstm lstm = LstmAt(t, 1);
  Prepare(t, &lstm, 18, 20, 23);
  const Value out = lstm.Step(t, RealInput(t, 0), nullptr);
  Tensor scratch;  // nobody's business
  scratch.dims = {lstm.cell->dims[0],
                  lstm.cell->dims[1] * (lstm.weights[kInput] == nullptr ? 3 : 4)};
  t.SetOutput(0, t.Constant(scratch, std::vector<float>(scratch.count()).data()));
  t.SetOutput(1, out);
  t.SetOutput(2, lstm.cell);
  t.SetOutput(3, out);
}

// (.., clips, time major, [normalisation 4]) -> result, [state, cell]
CONVERTER(UNIDIRECTIONAL_SEQUENCE_LSTM) {
  Lstm lstm = LstmAt(t, 1);
  Prepare(t, &lstm, 18, 20, 24);
  const Sequence x(t, RealInput(t, 0), t.Bool(23)), none(t, nullptr, true);
  t.SetOutput(0, x.Joined(Run(t, &lstm, x, none, false)));
  SetIfThere(t, 1, lstm.state);
  SetIfThere(t, 2, lstm.cell);
}

// (x, forward 17, backward 17, states 4, second x, its forward weights 4, its backward weights 4,
// activation, clips 2, merge, time major, [forward normalisation 4, backward normalisation 4])
// -> forward, [backward], [states 4]. A second input without weights of its own is the backward
// one's input.
CONVERTER(BIDIRECTIONAL_SEQUENCE_LSTM) {
  Lstm forward = LstmAt(t, 1), backward = LstmAt(t, 18);
  Prepare(t, &forward, 35, 48, 53);
  Prepare(t, &backward, 37, 48, 57);
  forward.auxiliary = GatesAt(t, 40);
  backward.auxiliary = GatesAt(t, 44);
  const Value second = RealInput(t, 39);
  const bool linked = second != nullptr && forward.auxiliary[kForget] == nullptr;
  const size_t states =
      RunBothWays(t, &forward, &backward, {second, linked, t.Bool(52), t.Bool(51)});
  SetIfThere(t, states, forward.state);
  SetIfThere(t, states + 1, forward.cell);
  SetIfThere(t, states + 2, backward.state);
  SetIfThere(t, states + 3, backward.cell);
}

}  // namespace nnadapter::nnapi
