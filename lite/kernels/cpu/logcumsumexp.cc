// log(sum(exp(x))) from the beginning of each line to every number, without overflow. The sum of
// nothing is the type's lowest number, as in Paddle, and nothing is below it.
#include "lite/kernels/cpu/data_movement.h"
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"

namespace paddle::lite {
namespace {

void InferLogcumsumexp(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireType(c, "X", {DataType::kFP32, DataType::kFP64});
  if (c.Attr<bool>("flatten")) return c.SetOutput("Out", {x.dims.production()}, x.dtype);
  AxisOrFirst(c.Attr<int>("axis"), x.dims);
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

double LogAddExp(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  const double larger = std::max(a, b), smaller = std::min(a, b);
  if (std::isinf(larger)) return larger;
  return larger + std::log1p(std::exp(smaller - larger));
}

template <typename T>
void RunLogcumsumexpAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  Lines lines;
  if (c.Attr<bool>("flatten"))
    lines.size = x.numel();
  else
    lines = LinesAlong(x.dims(), AxisOrFirst(c.Attr<int>("axis"), x.dims()));
  const bool exclusive = c.Attr<bool>("exclusive"), reverse = c.Attr<bool>("reverse");
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t start = lines.Begin(i, lines.size);
      double sum = static_cast<double>(std::numeric_limits<T>::lowest());
      for (int64_t k = 0; k < lines.size; ++k) {
        const int64_t at = start + (reverse ? lines.size - 1 - k : k) * lines.inner;
        const double next = LogAddExp(sum, static_cast<double>(from[at]));
        to[at] = static_cast<T>(exclusive ? sum : next);
        sum = next;
      }
    }
  });
}

void RunLogcumsumexp(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunLogcumsumexpAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(logcumsumexp)
    .Input("X")
    .Output("Out")
    .Attr<int>("axis", -1)
    .Attr<bool>("flatten", false)
    .Attr<bool>("exclusive", false)
    .Attr<bool>("reverse", false)
    .InferShape(InferLogcumsumexp);
REGISTER_LITE_FUNCTION(logcumsumexp, kHost, kAny, kNCHW, RunLogcumsumexp, def);

}  // namespace
}  // namespace paddle::lite
