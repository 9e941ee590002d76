#include "lite/kernels/cpu/fft.h"

namespace paddle::lite {
namespace {

void InferFftC2r(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireComplex(c, "X");
  const int last = FourierAxes(c.op(), x.dims, true).back();
  FourierScale(c.op(), 1);
  const int64_t given = c.Attr<int64_t>("last_dim_size");
  DDim dims = x.dims;
  dims[last] = given > 0 ? given : 2 * (x.dims[last] - 1);
  c.Require(dims[last] > 0 && dims[last] / 2 + 1 <= x.dims[last], "X has shape ", x.dims,
            ", whose dimension ", last, " is too small for results of ", dims[last], " numbers");
  c.SetOutput("Out", dims, PartType(x.dtype));
}

// Along all axes but the last as complex numbers, then along the last one.
class FftC2rKernel : public FourierKernel<FftC2rKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    const auto axes = FourierAxes(c.op(), x.dims(), true);
    const bool forward = c.Attr<bool>("forward");
    Tensor& out = c.Output("Out");
    T* const to = out.mutable_data<T>();
    if (x.numel() == 0) return;
    std::vector<C> between(axes.size() > 1 ? static_cast<size_t>(x.numel()) : 0);
    TransformAllButLast<T>(c.threads(), &plans_, x.dims(), axes, forward, x.data<C>(),
                           between.data());
    const C* const from = between.empty() ? x.data<C>() : between.data();
    const T scale = ScaleAlong<T>(c.op(), out.dims(), axes);
    const int last = axes.back();
    const Lines lines = LinesAlong(x.dims(), last);
    const auto& plan = plans_.OfReal<T>(out.dims()[last]);
    ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
      std::vector<C> bins(static_cast<size_t>(plan.bins() + plan.scratch()));
      std::vector<T> line(static_cast<size_t>(plan.size()));
      for (int64_t i = begin; i < end; ++i) {
        const C* read = from + lines.Begin(i, lines.size);
        for (int64_t k = 0; k < plan.bins(); ++k) {
          const C value = read[k * lines.inner];
          bins[static_cast<size_t>(k)] = forward ? std::conj(value) : value;
        }
        plan.Backward(bins.data(), line.data(), bins.data() + plan.bins());
        T* write = to + lines.Begin(i, plan.size());
        for (int64_t k = 0; k < plan.size(); ++k)
          write[k * lines.inner] = line[static_cast<size_t>(k)] * scale;
      }
    });
  }
};

REGISTER_LITE_OP(fft_c2r)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .RequiredAttr<std::string>("normalization")
    .RequiredAttr<bool>("forward")
    .Attr<int64_t>("last_dim_size", 0)
    .InferShape(InferFftC2r);
REGISTER_LITE_KERNEL(fft_c2r, kHost, kAny, kNCHW, FftC2rKernel, def);

}  // namespace
}  // namespace paddle::lite
