// softmax((X + noise) / temperature) along an axis, the noise being drawn from Gumbel's
// distribution in every run; `hard` gives 1 for the largest and 0 for the others.
#include <algorithm>
#include <cmath>

#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/random.h"

namespace paddle::lite {
namespace {

void InferGumbelSoftmax(InferContext& c) {
  RequireFloating(c, "X");
  const float temperature = FiniteAttr(c, "temperature");
  c.Require(temperature > 0, "attribute temperature is ", temperature,
            ", expected a positive number");
  AxisOrFirst(c.Attr<int32_t>("axis"), c.Dims("X"));
  c.SetOutput("Out", c.Dims("X"), c.Input("X").dtype);
}

double DrawGumbel(RandomEngine& engine) {
  return -std::log(-std::log1p(-std::max(DrawUniform<double>(engine), 1e-300)));
}

template <typename T>
void RunGumbelSoftmaxAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const Lines lines = LinesAlong(input.dims(), AxisOrFirst(c.Attr<int32_t>("axis"), input.dims()));
  const double temperature = c.Attr<float>("temperature");
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  RandomEngine engine = MakeEngine(0);
  std::vector<double> line(static_cast<size_t>(lines.size));
  for (int64_t i = 0; lines.size > 0 && i < lines.count(); ++i) {
    const int64_t begin = lines.Begin(i, lines.size);
    for (int64_t k = 0; k < lines.size; ++k)
      line[static_cast<size_t>(k)] =
          (static_cast<double>(x[begin + k * lines.inner]) + DrawGumbel(engine)) / temperature;
    const auto largest = std::max_element(line.begin(), line.end());
    if (c.Attr<bool>("hard")) {
      for (int64_t k = 0; k < lines.size; ++k) out[begin + k * lines.inner] = 0;
      out[begin + (largest - line.begin()) * lines.inner] = 1;
      continue;
    }
    const double highest = *largest;
    double sum = 0;
    for (double& value : line) sum += value = std::exp(value - highest);
    for (int64_t k = 0; k < lines.size; ++k)
      out[begin + k * lines.inner] = static_cast<T>(line[static_cast<size_t>(k)] / sum);
  }
}

void RunGumbelSoftmax(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunGumbelSoftmaxAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(gumbel_softmax)
    .Input("X")
    .Output("Out")
    .Attr<float>("temperature", 1.0f)
    .Attr<bool>("hard", false)
    .Attr<int32_t>("axis", -1)
    .InferShape(InferGumbelSoftmax)
    .Random();
REGISTER_LITE_FUNCTION(gumbel_softmax, kHost, kAny, kNCHW, RunGumbelSoftmax, def);

}  // namespace
}  // namespace paddle::lite
