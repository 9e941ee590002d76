// ConvertDataLayoutNCHWToNHWC on networks of random operations, against the model as it was.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "../hal/reference.h"
#include "lite/nnadapter/compat/compat.h"

using namespace nnadapter;
using reference::Builder;
using reference::Value;
using Ints = std::vector<int>;

namespace {

int Pick(Builder* b, int count) { return static_cast<int>(b->random() % count); }

core::Operand* Simple(Builder* b, int type, core::Operand* x) {
  return b->Op(type, {x}, hal::Dims(x->type));
}

// One more operation on a picture; what it gives may be no picture any more.
core::Operand* Next(Builder* b, core::Operand* x, core::Operand* other) {
  const Ints d = hal::Dims(x->type);
  const auto none = [&] { return b->Ints({0}); };
  switch (Pick(b, 13)) {
    case 0:
      return b->Conv(x, b->Weights({6, d[1], 3, 3}), b->Weights({6}), 1, Pick(b, 2));
    case 1:
      return b->Conv(x, b->Weights({d[1], 1, 3, 3}), b->Weights({d[1]}), 1, 0, d[1]);
    case 2:
      return b->Conv(x, b->Weights({4, d[1] / 2, 1, 1}), nullptr, 0, 0, 2);
    case 3:
      return Simple(b, NNADAPTER_RELU, x);
    case 4:
      return b->Op(NNADAPTER_MUL, {x, b->Weights({d[1], 1, 1}), none()}, d);
    case 5:
      return b->Op(NNADAPTER_ADD, {b->Weights({1}), x, none()}, d);
    case 6:
      if (hal::Dims(other->type) == d) return b->Op(NNADAPTER_SUB, {other, x, none()}, d);
      return x;
    case 7:
      return b->Op(NNADAPTER_CONCAT, {x, x, b->Ints({Pick(b, 2) ? 1 : -3})},
                   {d[0], 2 * d[1], d[2], d[3]});
    case 8:
      return b->Op(NNADAPTER_PAD, {x, b->Ints({0, 0, 0, 0, 1, 0, 0, 2}), none(), none()},
                   {d[0], d[1], d[2] + 1, d[3] + 2});
    case 9:
      return b->Op(NNADAPTER_SOFTMAX, {x, b->Ints({1 + Pick(b, 3)})}, d);
    case 10:
      return b->Op(NNADAPTER_REDUCE_MEAN, {x, b->Ints({2, 3}), b->Bool(true)}, {d[0], d[1], 1, 1});
    case 11:
      return b->Op(NNADAPTER_TRANSPOSE, {x, b->Ints({0, 1, 3, 2})}, {d[0], d[1], d[3], d[2]});
    default:
      return b->Op(NNADAPTER_CHANNEL_SHUFFLE, {x, b->Ints({2})}, d);
  }
}

core::Operand* Last(Builder* b, core::Operand* x) {
  const Ints d = hal::Dims(x->type);
  switch (Pick(b, 4)) {
    case 0:
      return b->Op(NNADAPTER_FLATTEN, {x, b->Ints({1}), b->Ints({3})}, {d[0], d[1] * d[2] * d[3]});
    case 1:
      return b->Op(NNADAPTER_REDUCE_MEAN, {x, b->Ints({1}), b->Bool(false)}, {d[0], d[2], d[3]});
    case 2:
      return b->Op(NNADAPTER_REDUCE_MEAN, {x, b->Ints({2, 3}), b->Bool(false)}, {d[0], d[1]});
    default:
      return x;
  }
}

const char* Check(Builder* b) {
  const std::vector<Value> inputs = b->Inputs();
  const std::vector<Value> before = reference::Run(b->model, inputs);
  ConvertDataLayoutNCHWToNHWC(&b->model);
  for (const core::Operation& operation : b->model.operations) {
    const auto layout = operation.output_operands[0]->type.layout;
    if (operation.type == NNADAPTER_CONV_2D && layout != NNADAPTER_NHWC) return "a convolution";
  }
  const std::vector<Value> after = reference::Run(b->model, inputs);
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i].dims != after[i].dims) return "a shape";
    double largest = 1e-9, worst = 0;
    for (size_t at = 0; at < before[i].data.size(); ++at) {
      largest = std::max(largest, std::fabs(before[i].data[at]));
      worst = std::max(worst, std::fabs(before[i].data[at] - after[i].data[at]));
    }
    if (!(worst <= 1e-5 * largest)) return "a value";
  }
  return nullptr;
}

size_t Count(const Builder& b, int type) {
  size_t count = 0;
  for (const core::Operation& operation : b.model.operations) count += operation.type == type;
  return count;
}

// What a classifier is made of turns its input, and nothing else.
const char* Classifier() {
  Builder b;
  core::Operand* x = b.Conv(b.Input({2, 4, 5, 6}), b.Weights({8, 4, 3, 3}), b.Weights({8}), 1, 1);
  core::Operand* y = b.Conv(x, b.Weights({8, 1, 3, 3}), b.Weights({8}), 1, 1, 8);
  y = b.Op(NNADAPTER_ADD, {x, y, b.Ints({0})}, {2, 8, 5, 6});
  y = b.Op(NNADAPTER_REDUCE_MEAN, {y, b.Ints({2, 3}), b.Bool(true)}, {2, 8, 1, 1});
  y = b.Op(NNADAPTER_FLATTEN, {y, b.Ints({1}), b.Ints({-1})}, {2, 8});
  b.Return(
      b.Op(NNADAPTER_FULLY_CONNECTED, {y, b.Weights({3, 8}), b.Weights({3}), b.Ints({0})}, {2, 3}));
  const char* wrong = Check(&b);
  return wrong || Count(b, NNADAPTER_TRANSPOSE) == 1 ? wrong : "transposes of a classifier";
}

// Scales of a filter's channels are along the axis to which the channels went.
const char* Scales() {
  for (const bool is_depthwise : {false, true}) {
    Builder b;
    core::Operand* filter = b.Weights({4, is_depthwise ? 1 : 4, 3, 3});
    std::vector<int8_t> levels(hal::ElementCount(filter->type), 3);
    NNAdapterOperandType type = filter->type;
    type.precision = NNADAPTER_QUANT_INT8_SYMM_PER_CHANNEL;
    static float scales[] = {1, 2, 3, 4};
    type.symm_per_channel_params = {0, 4, scales};
    core::Operand* quantised = hal::Graph(&b.model).AddConstant(type, levels.data());
    b.Return(b.Conv(b.Input({1, 4, 5, 6}), quantised, nullptr, 1, 0, is_depthwise ? 4 : 1));
    ConvertDataLayoutNCHWToNHWC(&b.model);
    for (const core::Operation& operation : b.model.operations) {
      if (operation.type != NNADAPTER_CONV_2D) continue;
      const core::Operand& turned = *operation.input_operands[1];
      if (turned.type.symm_per_channel_params.channel_dim != (is_depthwise ? 3u : 0u))
        return "the axis of scales";
      if (hal::Dims(turned.type) != (is_depthwise ? Ints{1, 3, 3, 4} : Ints{4, 3, 3, 4}))
        return "a quantised filter";
    }
  }
  return nullptr;
}

// [C_in, C_out, H, W] of a transposed convolution as [C_out, H, W, C_in].
const char* Transposed() {
  Builder b;
  core::Operand* filter = b.Weights({4, 3, 2, 5});
  b.Return(b.Op(NNADAPTER_CONV_2D_TRANSPOSE,
                {b.Input({1, 4, 5, 6}), filter, nullptr, b.Ints({0}), b.Ints({0, 0, 0, 0}),
                 b.Ints({1, 1}), b.Ints({1}), b.Ints({1, 1}), nullptr, nullptr, b.Ints({0})},
                {1, 3, 6, 10}));
  const auto before = hal::Values<float>(*filter);
  ConvertDataLayoutNCHWToNHWC(&b.model);
  for (const core::Operation& operation : b.model.operations) {
    if (operation.type != NNADAPTER_CONV_2D_TRANSPOSE) continue;
    const core::Operand& turned = *operation.input_operands[1];
    if (hal::Dims(turned.type) != Ints{3, 2, 5, 4}) return "a transposed filter";
    if (hal::Dims(operation.output_operands[0]->type) != Ints{1, 6, 10, 3}) return "its output";
    const auto after = hal::Values<float>(turned);  // [2, 1, 3, 0] is [0, 2, 1, 3] of before
    if (after[((2 * 2 + 1) * 5 + 3) * 4] != before[(2 * 2 + 1) * 5 + 3]) return "its values";
  }
  return nullptr;
}

}  // namespace

int main() {
  for (const char* wrong : {Classifier(), Scales(), Transposed()}) {
    if (wrong) return std::printf("%s\n", wrong), 1;
  }
  for (unsigned seed = 0; seed < 400; ++seed) {
    Builder b;
    b.random.seed(seed);
    core::Operand* x = b.Input({2, 4, 5, 6});
    core::Operand* other = x;
    for (int i = 0; i < 8; ++i) {
      core::Operand* made = Next(&b, x, other);
      if (Pick(&b, 2)) other = x;
      x = made;
    }
    if (Pick(&b, 3) == 0 && other->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE) b.Return(other);
    if (x->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE) x = Last(&b, x);
    if (x->type.lifetime == NNADAPTER_TEMPORARY_VARIABLE) b.Return(x);
    if (b.model.output_operands.empty()) continue;
    if (const char* wrong = Check(&b)) return std::printf("seed %u: %s\n", seed, wrong), 1;
  }
}
