#include "lite/kernels/cpu/fft.h"

namespace paddle::lite {
namespace {

void Infer(InferContext& c) {
  const TensorMeta& x = c.Input("X");
  RequireParts(c, "X");
  const auto axes = FourierAxes(c.op(), x.dims, true);
  FourierScale(c.op(), 1);
  DDim dims = x.dims;
  if (c.Attr<bool>("onesided")) dims[axes.back()] = dims[axes.back()] / 2 + 1;
  c.SetOutput("Out", dims, ComplexOf(x.dtype));
}

// The last axis from real numbers, the others from its results.
class Kernel : public KernelBase {
 public:
  void Run(KernelContext& c) override {
    ForParts(c.Input("X").dtype(), [&](auto zero) { RunAs<decltype(zero)>(c); });
  }

 private:
  template <typename T>
  void RunAs(KernelContext& c) {
    using C = std::complex<T>;
    const Tensor& x = c.Input("X");
    const auto axes = FourierAxes(c.op(), x.dims(), true);
    const bool forward = c.Attr<bool>("forward"), whole = !c.Attr<bool>("onesided");
    int64_t count = 1;
    for (const int axis : axes) count *= x.dims()[axis];
    Tensor& out = c.Output("Out");
    C* const to = out.mutable_data<C>();
    if (x.numel() == 0) return;
    const int last = axes.back();
    TransformReal(c.threads(), plans_.OfReal<T>(x.dims()[last]), x.dims(), last, forward, whole,
                  static_cast<T>(FourierScale(c.op(), count)), x.data<T>(), to);
    for (size_t i = 0; i + 1 < axes.size(); ++i)
      TransformAlong(c.threads(), plans_.Of<T>(x.dims()[axes[i]]), out.dims(), axes[i], forward,
                     T(1), to, to);
  }

  FourierPlans plans_;
};

REGISTER_LITE_OP(fft_r2c)
    .Input("X")
    .Output("Out")
    .RequiredAttr<std::vector<int64_t>>("axes")
    .RequiredAttr<std::string>("normalization")
    .RequiredAttr<bool>("forward")
    .RequiredAttr<bool>("onesided")
    .InferShape(Infer);
REGISTER_LITE_KERNEL(fft_r2c, kHost, kAny, kNCHW, Kernel, def);

}  // namespace
}  // namespace paddle::lite
