#include "lite/kernels/cpu/fft.h"

namespace paddle::lite {
namespace {

void InferFftR2c(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireParts(c, "X");
  const auto axes = FourierAxes(c.op(), x.dims, true);
  FourierScale(c.op(), 1);
  DDim dims = x.dims;
  if (c.Attr<bool>("onesided")) dims[axes.back()] = dims[axes.back()] / 2 + 1;
  c.SetOutput("Out", dims, ComplexOf(x.dtype));
}

// The last axis from real numbers, the others from its results.
class FftR2cKernel : public FourierKernel<FftR2cKernel> {
 public:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    const auto axes = FourierAxes(c.op(), x.dims(), true);
    const bool forward = c.Attr<bool>("forward"), whole = !c.Attr<bool>("onesided");
    Tensor& out = c.Output("Out");
    C* const to = out.mutable_data<C>();
    if (x.numel() == 0) return;
    const int last = axes.back();
    TransformReal(c.threads(), plans_.OfReal<T>(x.dims()[last]), x.dims(), last, forward, whole,
                  ScaleAlong<T>(c.op(), x.dims(), axes), x.data<T>(), to);
    TransformAllButLast<T>(c.threads(), &plans_, out.dims(), axes, forward, to, to);
  }
};

REGISTER_LITE_OP(fft_r2c)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .RequiredAttr<std::string>("normalization")
    .RequiredAttr<bool>("forward")
    .RequiredAttr<bool>("onesided")
    .InferShape(InferFftR2c);
REGISTER_LITE_KERNEL(fft_r2c, kHost, kAny, kNCHW, FftR2cKernel, def);

}  // namespace
}  // namespace paddle::lite
