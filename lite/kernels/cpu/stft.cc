#include "lite/kernels/cpu/fft.h"

namespace paddle::lite {
namespace {

int64_t Bins(const OpLite& op) {
  const int64_t n = op.Attr<int>("n_fft");
  return op.Attr<bool>("onesided") ? n / 2 + 1 : n;
}

void InferStft(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  const DDim& window = c.Dims("Window");
  RequireParts(c, "X");
  RequireType(c, "Window", {x.dtype});
  const int64_t n = c.Attr<int>("n_fft"), hop = c.Attr<int>("hop_length");
  c.Require(x.dims.size() == 2, "X has shape ", x.dims, ", expected [batch, samples]");
  c.Require(n > 0 && n <= x.dims[1], "attribute n_fft is ", n, ", expected 1 to the ", x.dims[1],
            " samples of X");
  c.Require(hop > 0, "attribute hop_length is ", hop, ", expected a positive number");
  c.Require(window.size() == 1 && window[0] == n, "input Window has shape ", window,
            ", expected [n_fft], which is ", n);
  c.SetOutput("Out", {x.dims[0], Bins(c.op()), 1 + (x.dims[1] - n) / hop}, ComplexOf(x.dtype));
}

// Frames of X times the window, transformed: [batch, bins, frames].
class StftKernel : public FourierKernel<StftKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    Tensor& out = c.Output("Out");
    const int64_t n = c.Attr<int>("n_fft"), hop = c.Attr<int>("hop_length");
    const int64_t samples = x.dims()[1], bins = out.dims()[1], frames = out.dims()[2];
    const T scale = c.Attr<bool>("normalized") ? 1 / std::sqrt(static_cast<T>(n)) : T(1);
    const auto& plan = plans_.OfReal<T>(n);
    const T *from = x.data<T>(), *window = c.Input("Window").data<T>();
    C* const to = out.mutable_data<C>();
    const Lines lines{x.dims()[0], n, frames};
    ParallelLines(c.threads(), lines, [&](int64_t begin, int64_t end) {
      std::vector<T> frame(static_cast<size_t>(n));
      std::vector<C> result(static_cast<size_t>(plan.bins() + plan.scratch()));
      for (int64_t i = begin; i < end; ++i) {
        const T* read = from + i / frames * samples + i % frames * hop;
        for (int64_t k = 0; k < n; ++k) frame[static_cast<size_t>(k)] = read[k] * window[k] * scale;
        plan.Forward(frame.data(), result.data(), result.data() + plan.bins());
        C* write = to + lines.Begin(i, bins);
        for (int64_t k = 0; k < plan.bins(); ++k)
          write[k * frames] = result[static_cast<size_t>(k)];
        for (int64_t k = plan.bins(); k < bins; ++k)
          write[k * frames] = std::conj(result[static_cast<size_t>(n - k)]);
      }
    });
  }
};

REGISTER_LITE_OP(stft)
    .Input("X")
    .Input("Window")
    .Output("Out")
    .RequiredAttr<int>("n_fft")
    .RequiredAttr<int>("hop_length")
    .RequiredAttr<bool>("normalized")
    .RequiredAttr<bool>("onesided")
    .InferShape(InferStft);
REGISTER_LITE_KERNEL(stft, kHost, kAny, kNCHW, StftKernel, def);

}  // namespace
}  // namespace paddle::lite
