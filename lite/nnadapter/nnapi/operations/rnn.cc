// RNN cells and sequences of them, and SVDF.
#include "lite/nnadapter/nnapi/operations/recurrent.h"
#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

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

std::vector<Value> Run(Translation& t, Rnn* rnn, const Sequence& x, const Sequence& auxiliary,
                       bool backwards) {
  return RunSequence(x.length(), backwards, [&](size_t moment) {
    return rnn->Step(t, x.At(moment), auxiliary.At(moment));
  });
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
  const bool time_major = t.Bool(13), merge = t.Bool(14);
  Rnn forward = RnnAt(t, 1, t.Int(12)), backward = RnnAt(t, 5, t.Int(12));
  forward.auxiliary_weights = RealInput(t, 10);
  backward.auxiliary_weights = RealInput(t, 11);
  const Value second = RealInput(t, 9);
  const bool linked = second != nullptr && forward.auxiliary_weights == nullptr;
  const Sequence x(t, RealInput(t, 0), time_major),
      auxiliary(t, linked ? nullptr : second, time_major);
  const Sequence other(t, linked ? second : RealInput(t, 0), time_major);
  const std::vector<Value> first = Run(t, &forward, x, auxiliary, false);
  const std::vector<Value> behind = Run(t, &backward, other, auxiliary, true);
  const size_t states = SetDirections(t, x, first, behind, merge);
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

}  // namespace nnadapter::nnapi
