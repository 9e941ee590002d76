#include "lite/nnadapter/nnapi/operations/recurrent.h"

#include "lite/nnadapter/nnapi/operations/values.h"

namespace nnadapter::nnapi {
namespace {

enum { kTanh = 4, kSigmoid = 6 };

}  // namespace

Value Dense(Translation& t, Value x, Value w, Value b) {
  if (x == nullptr || w == nullptr) return nullptr;
  return t.Emit(NNADAPTER_FULLY_CONNECTED, {x, w, b, t.Int32(NNADAPTER_FUSED_NONE)});
}

Value Added(Translation& t, Value a, Value b) {
  if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
  return t.Emit(NNADAPTER_ADD, {a, b, t.Int32(NNADAPTER_FUSED_NONE)});
}

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

Value RealInput(Translation& t, size_t i) { return t.Real(t.Input(i)); }

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

std::vector<Value> RunSequence(size_t length, bool backwards,
                               const std::function<Value(size_t moment)>& step) {
  std::vector<Value> results(length);
  for (size_t i = 0; i < length; ++i) {
    const size_t moment = backwards ? length - 1 - i : i;
    results[moment] = step(moment);
  }
  return results;
}

size_t SetDirections(Translation& t, const Sequence& x, std::vector<Value> forward,
                     const std::vector<Value>& backward, bool merge) {
  for (size_t i = 0; merge && i < forward.size(); ++i)
    forward[i] = t.Emit(NNADAPTER_CONCAT, {forward[i], backward[i], t.Int32(1)});
  t.SetOutput(0, x.Joined(forward));
  if (!merge) t.SetOutput(1, x.Joined(backward));
  return merge ? 1 : 2;
}

void SetIfThere(Translation& t, size_t o, Value v) {
  if (o < t.outputs()) t.SetOutput(o, v);
}

}  // namespace nnadapter::nnapi
