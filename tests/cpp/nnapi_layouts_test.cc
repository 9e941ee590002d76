// Images stay in NCHW between operations: transpositions stand only at the borders of a network.
#include <deque>
#include <vector>

#include "lite/nnadapter/nnapi/translate.h"
#include "tests/cpp/check.h"

namespace {

using nnadapter::nnapi::Dims;
using nnadapter::nnapi::InputShape;
using nnadapter::nnapi::Model;
using nnadapter::nnapi::Translation;

class Network {
 public:
  uint32_t Tensor(const Dims& dims) { return Add(ANEURALNETWORKS_TENSOR_FLOAT32, dims); }
  uint32_t Weights(const Dims& dims) {
    const uint32_t index = Tensor(dims);
    size_t count = 1;
    for (const uint32_t extent : dims) count *= extent;
    kept_.emplace_back(count, 0.5f);
    return Set(index, kept_.back().data(), count * sizeof(float));
  }
  uint32_t Number(int32_t number) {
    return Set(Add(ANEURALNETWORKS_INT32, {}), &number, sizeof(number));
  }
  uint32_t Axes(const std::vector<int32_t>& axes) {
    const uint32_t index = Add(ANEURALNETWORKS_TENSOR_INT32, {static_cast<uint32_t>(axes.size())});
    return Set(index, axes.data(), axes.size() * sizeof(int32_t));
  }
  // One result of the given shape.
  uint32_t Operation(int32_t code, const std::vector<uint32_t>& inputs, const Dims& dims) {
    const uint32_t output = Tensor(dims);
    model_.AddOperation(code, inputs, {output});
    return output;
  }
  // How many operations of NNAdapter the network becomes.
  size_t Count(uint32_t input, const Dims& dims, uint32_t output) {
    model_.Identify({input}, {output});
    model_.Finish();
    Translation translation(model_, {InputShape{input, dims, nullptr, false}});
    for (const auto& operation : model_.operations()) translation.Convert(operation);
    return translation.Finish({output}).operations;
  }

 private:
  uint32_t Add(int32_t code, const Dims& dims) {
    model_.AddOperand({code, static_cast<uint32_t>(dims.size()), dims.data(), 0, 0});
    return next_++;
  }
  uint32_t Set(uint32_t index, const void* bytes, size_t length) {
    model_.SetValue(static_cast<int32_t>(index), bytes, length);
    return index;
  }

  Model model_;
  uint32_t next_ = 0;
  std::deque<std::vector<float>> kept_;  // larger values stay the client's until the model is done
};

uint32_t Conv(Network* net, uint32_t x, uint32_t inputs, uint32_t outputs, const Dims& dims) {
  return net->Operation(
      ANEURALNETWORKS_CONV_2D,
      {x, net->Weights({outputs, 1, 1, inputs}), net->Weights({outputs}),
       net->Number(ANEURALNETWORKS_PADDING_SAME), net->Number(1), net->Number(1), net->Number(0)},
      dims);
}

// Seven operations of NNAPI: one transposition more, in front of the first convolution.
void TestClassifier() {
  Network net;
  const Dims image{2, 4, 4, 4};
  const uint32_t x = net.Tensor({2, 4, 4, 3});
  const uint32_t a = Conv(&net, x, 3, 4, image);
  const uint32_t b =
      net.Operation(ANEURALNETWORKS_ADD, {a, net.Weights({4}), net.Number(0)}, image);
  const uint32_t c = net.Operation(ANEURALNETWORKS_RELU, {b}, image);
  const uint32_t d =
      net.Operation(ANEURALNETWORKS_CONCATENATION, {c, a, net.Number(3)}, {2, 4, 4, 8});
  const uint32_t e = Conv(&net, d, 8, 4, image);
  const uint32_t f =
      net.Operation(ANEURALNETWORKS_MEAN, {e, net.Axes({1, 2}), net.Number(0)}, {2, 4});
  const uint32_t g = net.Operation(
      ANEURALNETWORKS_FULLY_CONNECTED,
      {f, net.Weights({5, 4}), net.Weights({5}), net.Number(ANEURALNETWORKS_FUSED_NONE)}, {2, 5});
  CHECK(net.Count(x, {2, 4, 4, 3}, g) == 8u);
}

// A result that is wanted as NNAPI has it is transposed once.
void TestImageToImage() {
  Network net;
  const Dims image{1, 2, 2, 3};
  const uint32_t x = net.Tensor(image);
  const uint32_t a = net.Operation(ANEURALNETWORKS_TANH, {Conv(&net, x, 3, 3, image)}, image);
  const uint32_t b = Conv(&net, a, 3, 3, image);
  CHECK(net.Count(x, image, b) == 5u);
}

// What is no image needs no transposition.
void TestElementwise() {
  Network net;
  const Dims image{1, 2, 2, 3};
  const uint32_t x = net.Tensor(image);
  const uint32_t a = net.Operation(ANEURALNETWORKS_TANH, {x}, image);
  CHECK(net.Count(x, image, net.Operation(ANEURALNETWORKS_RELU, {a}, image)) == 2u);
}

}  // namespace

int main() {
  TestClassifier();
  TestImageToImage();
  TestElementwise();
  return TEST_EXIT_CODE();
}
