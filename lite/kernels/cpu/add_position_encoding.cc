// alpha * X + beta * the sines (first half of the columns) and cosines of the rows' places. X is
// [batch, rows, columns], or the rows of its sequences.
#include <cmath>

#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/normalize.h"
#include "lite/kernels/cpu/random.h"
#include "lite/kernels/cpu/sequence.h"

namespace paddle::lite {
namespace {

void InferAddPositionEncoding(InferContext& c) {
  RequireFloating(c, "X");
  const TensorMeta& x = c.Input("X");
  const int rank = x.lod.empty() ? 3 : 2;
  c.Require(x.dims.size() == rank, "input X has shape ", x.dims, ", expected rank ", rank,
            x.lod.empty() ? " without LoD" : " with LoD");
  c.Require(x.dims.back() % 2 == 0, "input X has shape ", x.dims,
            ", expected an even number of columns");
  if (!x.lod.empty()) OnlyOffsets(x, "X");
  FiniteAttr(c, "alpha");
  FiniteAttr(c, "beta");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

// The place of each row in its batch or sequence.
std::vector<int64_t> Places(const Tensor& x) {
  const int64_t rows = x.dims().Count(0, x.dims().size() - 1);
  std::vector<int64_t> places(static_cast<size_t>(rows));
  if (x.lod().empty()) {
    for (int64_t i = 0; i < rows; ++i) places[static_cast<size_t>(i)] = i % x.dims()[1];
    return places;
  }
  const Offsets& offsets = OnlyOffsets(x.meta(), "X");
  for (size_t s = 0; s + 1 < offsets.size(); ++s)
    for (uint64_t i = offsets[s]; i < offsets[s + 1]; ++i)
      places[i] = static_cast<int64_t>(i - offsets[s]);
  return places;
}

template <typename T>
void RunAddPositionEncodingAs(KernelContext& c) {
  const Tensor& input = c.Input("X");
  const int64_t cols = input.dims().back(), half = cols / 2;
  const double alpha = c.Attr<float>("alpha"), beta = c.Attr<float>("beta");
  const T* x = input.data<T>();
  T* out = c.Output("Out").mutable_data<T>();
  for (const int64_t place : Places(input)) {
    for (int64_t k = 0; k < half; ++k) {
      const double power = half > 1 ? static_cast<double>(k) / static_cast<double>(half - 1) : 1.0;
      const double angle = static_cast<double>(place) / std::pow(10000.0, power);
      out[k] = static_cast<T>(static_cast<double>(x[k]) * alpha + std::sin(angle) * beta);
      out[half + k] =
          static_cast<T>(static_cast<double>(x[half + k]) * alpha + std::cos(angle) * beta);
    }
    x += cols, out += cols;
  }
}

void RunAddPositionEncoding(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunAddPositionEncodingAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(add_position_encoding)
    .Input("X")
    .Output("Out")
    .Attr<float>("alpha", 1.0f)
    .Attr<float>("beta", 1.0f)
    .InferShape(InferAddPositionEncoding);
REGISTER_LITE_FUNCTION(add_position_encoding, kHost, kAny, kNCHW, RunAddPositionEncoding, def);

}  // namespace
}  // namespace paddle::lite
