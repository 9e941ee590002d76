// LSTM cells and sequences of them.
#include <array>

#include "lite/nnadapter/nnapi/operations/recurrent.h"
#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
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

std::vector<Value> Run(Translation& t, Lstm* lstm, const Sequence& x, const Sequence& second,
                       bool backwards) {
  return RunSequence(x.length(), backwards,
                     [&](size_t moment) { return lstm->Step(t, x.At(moment), second.At(moment)); });
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
  const bool merge = t.Bool(51), time_major = t.Bool(52);
  Lstm forward = LstmAt(t, 1), backward = LstmAt(t, 18);
  Prepare(t, &forward, 35, 48, 53);
  Prepare(t, &backward, 37, 48, 57);
  forward.auxiliary = GatesAt(t, 40);
  backward.auxiliary = GatesAt(t, 44);
  const Value given = RealInput(t, 39);
  const bool linked = given != nullptr && forward.auxiliary[kForget] == nullptr;
  const Sequence x(t, RealInput(t, 0), time_major);
  const Sequence second(t, linked ? nullptr : given, time_major);
  const Sequence other(t, linked ? given : RealInput(t, 0), time_major);
  const std::vector<Value> first = Run(t, &forward, x, second, false);
  const std::vector<Value> behind = Run(t, &backward, other, second, true);
  const size_t states = SetDirections(t, x, first, behind, merge);
  SetIfThere(t, states, forward.state);
  SetIfThere(t, states + 1, forward.cell);
  SetIfThere(t, states + 2, backward.state);
  SetIfThere(t, states + 3, backward.cell);
}

}  // namespace nnadapter::nnapi
