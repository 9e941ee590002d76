// X with each of its parts along `axis` scaled down where its p-norm is above `max_norm`.
#include "lite/kernels/cpu/elementwise.h"
#include "lite/kernels/cpu/lines.h"
#include "lite/kernels/cpu/normalize.h"

namespace paddle::lite {
namespace {

void InferRenorm(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireFloating(c, "X");
  CanonicalAxis(c.Attr<int>("axis"), x.dims.size(), "attribute axis");
  c.SetOutput("Out", x.dims, x.dtype, x.lod);
}

template <typename T>
void RunRenormAs(KernelContext& c) {
  const Tensor& x = c.Input("X");
  const Lines parts =
      LinesAlong(x.dims(), CanonicalAxis(c.Attr<int>("axis"), x.dims().size(), "axis"));
  const double p = c.Attr<float>("p"), limit = c.Attr<float>("max_norm");
  const T* from = x.data<T>();
  T* to = c.Output("Out").mutable_data<T>();
  const auto for_runs = [&](int64_t part, const auto& body) {
    for (int64_t o = 0; o < parts.outer; ++o) {
      const int64_t begin = (o * parts.size + part) * parts.inner;
      for (int64_t i = begin; i < begin + parts.inner; ++i) body(i);
    }
  };
  for (int64_t part = 0; part < parts.size; ++part) {
    double sum = 0;
    for_runs(part, [&](int64_t i) { sum += std::pow(std::abs(static_cast<double>(from[i])), p); });
    const double norm = std::pow(sum, 1 / p);
    const T scale = static_cast<T>(norm > limit ? limit / norm : 1);
    for_runs(part, [&](int64_t i) { to[i] = from[i] * scale; });
  }
}

void RunRenorm(KernelContext& c) {
  ForTypes<float, double>(c, c.Input("X").dtype(),
                          [&](auto zero) { RunRenormAs<decltype(zero)>(c); });
}

REGISTER_LITE_OP(renorm)
    .Input("X")
    .Output("Out")
    .RequiredAttr<float>("p")
    .RequiredAttr<int>("axis")
    .RequiredAttr<float>("max_norm")
    .InferShape(InferRenorm);
REGISTER_LITE_FUNCTION(renorm, kHost, kAny, kNCHW, RunRenorm, def);

}  // namespace
}  // namespace paddle::lite
