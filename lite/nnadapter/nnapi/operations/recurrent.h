// Steps of recurrent networks, and sequences of them, which are unrolled.
#pragma once

#include <functional>
#include <vector>

#include "lite/nnadapter/nnapi/translate.h"

namespace nnadapter::nnapi {

// x * transposed w + b; of an absent x or w nothing. b may be null.
Value Dense(Translation& t, Value x, Value w, Value b);
// a + b, or the one that is there.
Value Added(Translation& t, Value a, Value b);
// An activation by its number: those of NNAPI, and 4 (tanh) and 6 (sigmoid), which it has for
// recurrent networks only.
Value RecurrentActivation(Translation& t, Value x, int32_t code);
// Input i as FLOAT32, or null.
Value RealInput(Translation& t, size_t i);

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

// step(moment) for each moment, from the last one to the first if `backwards`; the results stand in
// the order of time.
std::vector<Value> RunSequence(size_t length, bool backwards,
                               const std::function<Value(size_t moment)>& step);

// The first outputs: the results of both directions, in one if `merge`. Returns how many they are.
size_t SetDirections(Translation& t, const Sequence& x, std::vector<Value> forward,
                     const std::vector<Value>& backward, bool merge);
// Output o, if the operation has it.
void SetIfThere(Translation& t, size_t o, Value v);

}  // namespace nnadapter::nnapi
